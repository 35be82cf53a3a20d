@_spi(Inlay) public import InlaySurface
@_spi(Inlay) import InlayWire

/// The conversion of a set-up's screen to the view that its templates render.
@_spi(Inlay) public struct SetupPresenter {
    let screen: SetupScreen
    let appearance: SetupAppearance
    let environment: SurfaceEnvironment
    let content: String

    /// Returns the view of a screen; the same arguments give the same view.
    ///
    /// - Parameter content: The prefix of the surface's file paths, see ``SurfaceLink/content``.
    public static func present(
        _ screen: SetupScreen, _ appearance: SetupAppearance = SetupAppearance(),
        environment: SurfaceEnvironment = SurfaceEnvironment(), content: String = "content/"
    ) -> SetupView {
        SetupPresenter(screen: screen, appearance: appearance, environment: environment, content: content)
            .view()
    }

    private func view() -> SetupView {
        var view = SetupView(root: root, screenNumber: String(screen.screenNumber), kind: kind)
        view.bar = bar
        view.rail = rail
        switch screen.body {
        case .working: view.waiting = working
        case .logo:
            view.logo = .init(
                source: content + Self.logoPath, text: appearance.logoText,
                next: action(.logoNext, "next", isPrimary: true))
        case .mail, .code, .logIn, .reset, .network: view.form = SetupFormPresenter(self).form()
        case .safety(let secondsLeft): view.notice = notice(secondsLeft)
        case .light(let levels, let rates): view.light = light(levels, rates)
        case .picture(let text): view.picture = picture(text)
        case .typed(let code, let host): view.typed = typed(code, host)
        case .waiting: view.waiting = waiting
        case .paired, .failed: view.result = SetupResultPresenter(self).result()
        case .tip(let index): view.tip = tip(index)
        case .closed:
            view.result = .init(
                isGood: true, reason: "closed", title: text(.closedTitle), lead: "", isBusy: false,
                working: "",
                actions: [])
        }
        return view
    }

    /// The path of the logo among the surface's files.
    public static let logoPath = "logo"

    func text(_ string: SetupString, _ values: [String: String] = [:]) -> String {
        appearance.text(string, values)
    }

    func action(
        _ string: SetupString, _ event: String, value: String? = nil, isPrimary: Bool = false,
        isDisabled: Bool = false
    ) -> SetupView.Action {
        .init(text: text(string), event: event, value: value, isPrimary: isPrimary, isDisabled: isDisabled)
    }

    // MARK: Frame

    private var kind: String {
        switch screen.body {
        case .working: "working"
        case .logo: "logo"
        case .mail: "mail"
        case .code: "code"
        case .logIn: "log-in"
        case .reset: "reset"
        case .network: "network"
        case .safety: "safety"
        case .light: "light"
        case .picture: "picture"
        case .typed: "typed"
        case .waiting: "waiting"
        case .paired: "paired"
        case .failed: "failed"
        case .tip: "tip"
        case .closed: "closed"
        }
    }

    private var root: SurfaceFrame.Root {
        SurfaceFrame.Root(
            title: title, colorScheme: appearance.colorScheme ?? environment.colorScheme,
            layoutDirection: environment.layoutDirection, locale: environment.locale,
            style: SurfaceTheme.properties(appearance.theme, contentSize: environment.contentSize))
    }

    private var title: String {
        switch step {
        case 0: text(.stepAccount)
        case 1: text(.stepNetwork)
        default: text(.stepConnect)
        }
    }

    private var bar: SetupView.Bar? {
        guard screen.body != .closed else { return nil }
        let back = action(.back, "back")
        switch appearance.presentation {
        case .modal: return .init(back: screen.canGoBack ? back : nil, close: action(.close, "close"))
        // The arrow is always shown: it leads to the previous screen, or closes the set-up.
        case .pushed: return .init(back: screen.canGoBack ? back : action(.back, "close"), close: nil)
        }
    }

    private var step: Int? {
        switch screen.body {
        case .mail, .code, .logIn, .reset: 0
        case .network: 1
        case .safety, .light, .picture, .typed, .waiting, .failed(.device), .failed(.connectionLost),
            .failed(.tooLong):
            2
        case .paired: 3
        default: nil
        }
    }

    private var rail: SetupView.Rail? {
        guard let step else { return nil }
        let names = [text(.stepAccount), text(.stepNetwork), text(.stepConnect)]
        return .init(
            steps: names.enumerated().map { .init(text: $1, isDone: $0 < step, isCurrent: $0 == step) },
            label: text(.stepOf, ["step": String(min(step, 2) + 1), "steps": String(names.count)]))
    }

    // MARK: Light, picture and code

    private func notice(_ secondsLeft: Int) -> SetupView.Notice {
        var others: [SetupView.Action] = []
        if screen.allowsOtherWays { others = [action(.takePicture, "picture"), action(.takeTyped, "typed")] }
        var start = action(.safetyStart, "light-start", isPrimary: true, isDisabled: secondsLeft > 0)
        if secondsLeft > 0 { start.text = text(.safetyWait, ["seconds": String(secondsLeft)]) }
        return .init(
            title: text(.safetyTitle), warning: text(.safetyWarning), how: text(.safetyHow), start: start,
            problem: screen.mistake == .lightStopped ? text(.mistakeLightStopped) : nil,
            otherTitle: others.isEmpty ? nil : text(.otherWays), others: others,
            othersFirst: environment.reducedMotion && !others.isEmpty)
    }

    private func light(_ levels: [UInt8], _ rates: [SetupScreen.Step]) -> SetupView.Light {
        .init(
            title: text(.lightTitle), lead: text(.lightLead), text: text(.lightPatch),
            levels: levels.map { String(min($0, 2)) }.joined(),
            rates: rates.map { "\($0.rate):\($0.seconds)" }.joined(separator: ","),
            size: appearance.patchPixels,
            actions: [action(.lightRead, "light-read"), action(.lightStop, "back")])
    }

    private func picture(_ qrText: String) -> SetupView.Picture? {
        guard let code = QRCode(qrText) else { return nil }
        return .init(
            title: text(.pictureTitle), lead: text(.pictureLead), text: text(.pictureText),
            side: code.side + 2 * QRCode.quietZone, path: code.path,
            actions: [
                action(.pictureDone, "next", isPrimary: true), action(.takeTyped, "typed"),
                action(.takeLight, "light"),
            ])
    }

    private func typed(_ code: String, _ host: String) -> SetupView.Typed {
        let others = screen.isTooLong ? [] : [action(.takePicture, "picture"), action(.takeLight, "light")]
        return .init(
            title: text(.typedTitle), lead: text(.typedLead),
            lines: [
                .init(name: text(.typedCode), value: code, isCode: true),
                .init(name: text(.typedServer), value: host, isCode: false),
                .init(name: text(.typedNetwork), value: screen.network, isCode: false),
            ],
            actions: [action(.typedDone, "next", isPrimary: true)] + others)
    }

    private var working: SetupView.Waiting {
        .init(title: text(.working), lead: "", working: text(.working), lampTitle: "", lamps: [])
    }

    private var waiting: SetupView.Waiting {
        .init(
            title: text(.waitingTitle), lead: text(screen.awaitsAddressProof ? .heldLead : .waitingLead),
            working: text(.working), lampTitle: text(.lampTitle),
            lamps: screen.awaitsAddressProof
                ? []
                : [
                    action(.lampWrongPassword, "lamp", value: DeviceSetupFailure.wrongPassword.rawValue),
                    action(.lampNetworkNotFound, "lamp", value: DeviceSetupFailure.networkNotFound.rawValue),
                    action(.lampNoInternet, "lamp", value: DeviceSetupFailure.noInternet.rawValue),
                    action(.lampNoLight, "lamp", value: DeviceSetupFailure.noLight.rawValue),
                ])
    }

    // MARK: Tips

    private func tip(_ index: Int) -> SetupView.Tip? {
        let tips = appearance.shownTips
        guard tips.indices.contains(index) else { return nil }
        let isLast = index == tips.count - 1
        return .init(
            number: text(.stepOf, ["step": String(index + 1), "steps": String(tips.count)]),
            title: tips[index].title, text: tips[index].text,
            announcement: index == 0 && !screen.device.isEmpty
                ? text(.pairedTitle, ["device": screen.device]) : nil,
            dots: tips.indices.map { .init(isCurrent: $0 == index) },
            actions: [action(isLast ? .tipsDone : .next, "next", isPrimary: true)]
                + (isLast ? [] : [action(.tipsSkip, "skip")]))
    }
}
