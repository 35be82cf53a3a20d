@_spi(Inlay) import InlayWire

/// The conversion of the result screens, paired and failed.
struct SetupResultPresenter {
    let presenter: SetupPresenter
    private var screen: SetupScreen { presenter.screen }

    init(_ presenter: SetupPresenter) { self.presenter = presenter }

    func result() -> SetupView.Result? {
        switch screen.body {
        case .paired:
            .init(
                isGood: true, reason: "paired",
                title: presenter.text(.pairedTitle, ["device": screen.device]),
                lead: presenter.text(.pairedLead), isBusy: false, working: "",
                actions: [presenter.action(.pairedNext, "next", isPrimary: true)])
        case .failed(let failure):
            .init(
                isGood: false, reason: Self.name(failure), title: presenter.text(Self.strings(failure).title),
                lead: presenter.text(advice(failure)), isBusy: screen.isBusy,
                working: presenter.text(.working), actions: actions(failure))
        default: nil
        }
    }

    private func advice(_ failure: SetupScreen.Failure) -> SetupString {
        failure == .tooLong && !screen.allowsOtherWays ? .tooLongOnlyAdvice : Self.strings(failure).advice
    }

    private func actions(_ failure: SetupScreen.Failure) -> [SetupView.Action] {
        func again(_ isPrimary: Bool) -> SetupView.Action {
            presenter.action(.tryAgain, "try-again", isPrimary: isPrimary, isDisabled: screen.isBusy)
        }
        func change(_ isPrimary: Bool) -> SetupView.Action {
            presenter.action(
                .changeNetwork, "change-network", isPrimary: isPrimary, isDisabled: screen.isBusy)
        }
        switch failure {
        case .device(.wrongPassword), .device(.networkNotFound): return [change(true), again(false)]
        case .device: return [again(true), change(false)]
        case .tooLong:
            guard screen.allowsOtherWays else { return [change(true)] }
            return [presenter.action(.takeTyped, "typed", isPrimary: true), change(false)]
        case .connectionLost, .server: return [again(true)]
        case .applicationRefused: return [presenter.action(.close, "close", isPrimary: true)]
        }
    }

    private static func name(_ failure: SetupScreen.Failure) -> String {
        switch failure {
        case .device(let reason): reason.rawValue
        case .connectionLost: "connectionLost"
        case .applicationRefused: "applicationRefused"
        case .tooLong: "tooLong"
        case .server: "server"
        }
    }

    private static func strings(
        _ failure: SetupScreen.Failure
    ) -> (title: SetupString, advice: SetupString) {
        switch failure {
        case .device(.wrongPassword): (.wrongPasswordTitle, .wrongPasswordAdvice)
        case .device(.networkNotFound): (.networkNotFoundTitle, .networkNotFoundAdvice)
        case .device(.noInternet): (.noInternetTitle, .noInternetAdvice)
        case .device(.tokenExpired): (.tokenExpiredTitle, .tokenExpiredAdvice)
        case .device(.noLight): (.noLightTitle, .noLightAdvice)
        case .device(.cancelled): (.cancelledTitle, .cancelledAdvice)
        case .device(.other): (.otherTitle, .otherAdvice)
        case .connectionLost: (.connectionLostTitle, .connectionLostAdvice)
        case .applicationRefused: (.applicationRefusedTitle, .applicationRefusedAdvice)
        case .tooLong: (.tooLongTitle, .tooLongAdvice)
        case .server: (.serverTitle, .serverAdvice)
        }
    }
}
