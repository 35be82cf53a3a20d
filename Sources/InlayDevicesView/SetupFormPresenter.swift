/// The conversion of the screens with fields: mail, code, log-in, reset, network.
struct SetupFormPresenter {
    let presenter: SetupPresenter
    private var screen: SetupScreen { presenter.screen }

    init(_ presenter: SetupPresenter) { self.presenter = presenter }

    func form() -> SetupView.Form? {
        switch screen.body {
        case .mail: mail
        case .code: code
        case .logIn: logIn
        case .reset: reset
        case .network: network
        default: nil
        }
    }

    private func text(_ string: SetupString) -> String { presenter.text(string, ["email": screen.email]) }

    private func form(
        _ kind: String, _ title: SetupString, _ lead: SetupString, _ submit: SetupString,
        _ fields: [SetupView.Field], links: [SetupView.Action] = []
    ) -> SetupView.Form {
        // The form shows a mistake that no field shows.
        let isShownAtField = fields.contains { $0.problem != nil }
        return .init(
            kind: kind, title: text(title), lead: text(lead), fields: fields, submit: text(submit),
            isBusy: screen.isBusy, working: text(.working),
            problem: isShownAtField ? nil : screen.mistake.map(message),
            announcement: screen.wasSentAgain ? text(.sentAgain) : nil, links: links)
    }

    private func field(
        _ name: String, _ label: SetupString, type: String, autocomplete: String, value: String = "",
        hint: SetupString? = nil, wrong: Bool = false, isVerbatim: Bool = false, isCode: Bool = false
    ) -> SetupView.Field {
        .init(
            name: name, label: text(label), type: type, autocomplete: autocomplete, value: value,
            hint: hint.map(text), problem: wrong ? screen.mistake.map(message) : nil, isVerbatim: isVerbatim,
            isCode: isCode)
    }

    private var mail: SetupView.Form {
        form(
            "mail", .mailTitle, .mailLead, .mailNext,
            [
                field(
                    "email", .mailLabel, type: "email", autocomplete: "username", value: screen.email,
                    wrong: [.address, .addressLetters].contains(screen.mistake), isVerbatim: true)
            ], links: [presenter.action(.forgotAddress, "forgot-address")])
    }

    private var code: SetupView.Form {
        var links = [presenter.action(.sendAgain, "send-again")]
        // A password proves no address, but the device waits for that proof.
        if !screen.awaitsAddressProof { links.append(presenter.action(.havePassword, "use-password")) }
        return form(
            "code", .codeTitle, screen.awaitsAddressProof ? .heldLead : .codeLead, .codeNext, [codeField],
            links: links)
    }

    private var codeField: SetupView.Field {
        field(
            "code", .codeLabel, type: "text", autocomplete: "one-time-code", wrong: screen.mistake == .code,
            isVerbatim: true, isCode: true)
    }

    private var logIn: SetupView.Form {
        form(
            "log-in", .logInTitle, .logInLead, .logInNext,
            [
                field(
                    "password", .passwordLabel, type: "password", autocomplete: "current-password",
                    wrong: screen.mistake == .password)
            ],
            links: [
                presenter.action(.forgotPassword, "forgot-password"), presenter.action(.useCode, "use-code"),
                presenter.action(.forgotAddress, "forgot-address"),
            ])
    }

    private var reset: SetupView.Form {
        var isUnfit = false
        if case .unfitPassword = screen.mistake { isUnfit = true }
        return form(
            "reset", .resetTitle, .resetLead, .resetNext,
            [
                codeField,
                field(
                    "password", .newPasswordLabel, type: "password", autocomplete: "new-password",
                    hint: .newPasswordHint, wrong: isUnfit),
            ],
            links: [
                presenter.action(.sendAgain, "send-again"),
                presenter.action(.resetOnWeb, "recover-password"),
            ])
    }

    private var network: SetupView.Form {
        var name = field(
            "network", .networkLabel, type: "text", autocomplete: "off", value: screen.network,
            wrong: screen.mistake == .networkName, isVerbatim: true)
        if !screen.networks.isEmpty {
            name.choices = .init(title: text(.networkChoose), values: screen.networks)
        }
        return form(
            "network", .networkTitle, .networkLead, .networkNext,
            [
                name,
                field(
                    "password", .networkPasswordLabel, type: "password", autocomplete: "off",
                    hint: .networkPasswordHint, wrong: screen.mistake == .networkPassword),
            ])
    }

    private func message(_ mistake: SetupScreen.Mistake) -> String {
        switch mistake {
        case .address: text(.mistakeAddress)
        case .addressLetters: text(.mistakeAddressLetters)
        case .password: text(.mistakePassword)
        case .code: text(.mistakeCode)
        case .unfitPassword(let reason): reason ?? text(.mistakeUnfitPassword)
        case .networkName: text(.mistakeNetworkName)
        case .networkPassword: text(.mistakeNetworkPassword)
        case .tooMany: text(.mistakeTooMany)
        case .offline: text(.mistakeOffline)
        case .server: text(.mistakeServer)
        case .loggedOut: text(.mistakeLoggedOut)
        case .lightStopped: text(.mistakeLightStopped)
        }
    }
}
