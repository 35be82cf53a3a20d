@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayDevices

/// The screens of a set-up, with every input of a user and every event on each of them.
@Suite struct SetupTableTests {
    typealias Screen = DeviceSetupState.Screen
    typealias Machine = DeviceSetupMachine

    static let account = DeviceAccount(id: "a", email: "a@example.com", proven: true)
    static let pairing = Pairing(
        id: "p", token: "AAECAwQFBgcICQoLDA0ODw", expiresAt: Timestamp(microseconds: 0), host: "example.com")
    /// A pairing that is too long for the light with any network.
    static let longPairing = Pairing(
        id: "p", token: pairing.token, expiresAt: Timestamp(microseconds: 0),
        host: String(repeating: "a", count: 200) + ".example.com")
    static let device = Device(
        id: "d", name: "Reader", model: "m", serial: "s", pairedAt: Timestamp(microseconds: 0))

    /// Returns a machine on a screen, which it reached through the inputs of a user.
    static func machine(on screen: Screen, _ options: DeviceSetup.Options = options) -> Machine {
        var options = options
        if screen == .paired { options.tips = 0 }
        var machine = Machine(options, isLoggedIn: false)
        func answer(_ answer: Machine.Reply) { _ = machine.handle(.reply(answer, id: machine.requestCount)) }
        func toSafety(_ seconds: Int) {
            answer(.authorized)
            _ = machine.handle(.network(name: "Home", password: "correct horse"))
            answer(.pairing(pairing))
            for _ in seconds..<3 { _ = machine.handle(.tick) }
        }
        if screen == .idle { return machine }
        _ = machine.handle(.start)
        if screen == .logo { return machine }
        _ = machine.handle(.next)
        if screen == .mail { return machine }
        _ = machine.handle(.mail("a@example.com"))
        if [.code, .logIn, .reset].contains(screen) { answer(.proofNeeded) }
        if screen == .code { return machine }
        if screen == .logIn || screen == .reset { _ = machine.handle(.usePassword) }
        if screen == .logIn { return machine }
        if screen == .reset {
            _ = machine.handle(.forgotPassword)
            answer(.mailSent)
            return machine
        }
        answer(.opened(account))
        switch screen {
        case .authorizing: break
        case .failed(.applicationRefused): answer(.failed(.applicationRefused))
        case .failed(.connectionLost): answer(.failed(.network(.timedOut)))
        case .failed(.server): answer(.failed(.storage("full")))
        case .network: answer(.authorized)
        case .failed(.tooLong):
            answer(.authorized)
            _ = machine.handle(.network(name: "Home", password: "correct horse"))
            answer(.pairing(longPairing))
        case .safety(let seconds): toSafety(seconds)
        case .light, .picture, .typed, .waiting, .paired, .tip, .failed, .done:
            toSafety(0)
            if screen == .picture { _ = machine.handle(.usePicture) }
            if screen == .typed { _ = machine.handle(.useTypedCode) }
            if [.picture, .typed].contains(screen) { break }
            _ = machine.handle(.startLight)
            if screen == .light { break }
            if screen == .waiting {
                _ = machine.handle(.lightWasRead)
            } else if case .failed(let problem) = screen {
                _ = machine.handle(
                    .status(PairingStatus(state: .rejected, reason: problem.reason), pairing: "p"))
            } else {
                _ = machine.handle(.status(PairingStatus(state: .paired, device: device), pairing: "p"))
                if case .tip(let index) = screen { for _ in 0..<index { _ = machine.handle(.next) } }
                if case .done = screen { _ = machine.handle(.skipTips) }
            }
        default: break
        }
        return machine
    }

    static var options: DeviceSetup.Options {
        var options = DeviceSetup.Options()
        options.showsLogo = true
        options.tips = 2
        return options
    }

    static let screens: [Screen] = [
        .idle, .logo, .mail, .code, .logIn, .reset, .authorizing, .network, .safety(secondsLeft: 2),
        .safety(secondsLeft: 0), .light, .picture, .typed, .waiting, .failed(.device(.wrongPassword)),
        .failed(.connectionLost), .failed(.server), .failed(.applicationRefused), .failed(.tooLong), .paired,
        .tip(0), .tip(1),
        .done(.finished(device, sawTips: false)),
    ]

    static let inputs: [DeviceSetupInput] = [
        .start, .next, .back, .cancel, .mail("b@example.com"), .code("1"), .sendAgain, .usePassword, .useCode,
        .password("p"), .forgotPassword, .forgotAddress, .recoverPassword,
        .newPassword(code: "1", password: "p"),
        .network(name: "N", password: ""), .startLight, .lightStopped, .lightWasRead, .usePicture,
        .useTypedCode,
        .useLight, .lampReported(.noInternet), .tryAgain, .changeNetwork, .skipTips,
    ]

    /// The next screen of each input; an input that is not listed does nothing.
    static let table: [Screen: [DeviceSetupInput: Screen]] = [
        .idle: [.start: .logo, .cancel: .done(.cancelled)],
        .logo: [.next: .mail, .cancel: .done(.cancelled)],
        .mail: [
            .back: .logo, .cancel: .done(.cancelled), .mail("b@example.com"): .mail, .usePassword: .mail,
            .forgotAddress: .mail,
        ],
        .code: [
            .back: .mail, .cancel: .done(.cancelled), .code("1"): .code, .sendAgain: .code,
            .usePassword: .logIn,
        ],
        .logIn: [
            .back: .mail, .cancel: .done(.cancelled), .password("p"): .logIn, .useCode: .code,
            .forgotPassword: .reset, .forgotAddress: .logIn,
        ],
        .reset: [
            .back: .logIn, .cancel: .done(.cancelled), .newPassword(code: "1", password: "p"): .reset,
            .sendAgain: .reset, .recoverPassword: .reset,
        ],
        .authorizing: [.cancel: .done(.cancelled)],
        .network: [.cancel: .done(.cancelled), .network(name: "N", password: ""): .network],
        .safety(secondsLeft: 2): [
            .back: .network, .cancel: .done(.cancelled), .usePicture: .picture, .useTypedCode: .typed,
        ],
        .safety(secondsLeft: 0): [
            .back: .network, .cancel: .done(.cancelled), .startLight: .light, .usePicture: .picture,
            .useTypedCode: .typed,
        ],
        .light: [
            .back: .safety(secondsLeft: 3), .cancel: .done(.cancelled),
            .lightStopped: .safety(secondsLeft: 3),
            .lightWasRead: .waiting, .usePicture: .picture, .useTypedCode: .typed,
            .lampReported(.noInternet): .failed(.device(.noInternet)),
        ],
        .picture: [
            .back: .safety(secondsLeft: 3), .cancel: .done(.cancelled), .next: .waiting,
            .useTypedCode: .typed,
            .useLight: .safety(secondsLeft: 3),
        ],
        .typed: [
            .back: .safety(secondsLeft: 3), .cancel: .done(.cancelled), .next: .waiting,
            .usePicture: .picture,
            .useLight: .safety(secondsLeft: 3),
        ],
        .waiting: [
            .cancel: .done(.cancelled), .lampReported(.noInternet): .failed(.device(.noInternet)),
        ],
        .failed(.device(.wrongPassword)): [
            .back: .network, .cancel: .done(.cancelled), .changeNetwork: .network,
            .tryAgain: .failed(.device(.wrongPassword)),
        ],
        .failed(.connectionLost): [.cancel: .done(.cancelled), .tryAgain: .authorizing],
        .failed(.server): [.cancel: .done(.cancelled), .tryAgain: .authorizing],
        .failed(.applicationRefused): [.cancel: .done(.cancelled)],
        .failed(.tooLong): [
            .back: .network, .cancel: .done(.cancelled), .changeNetwork: .network, .useTypedCode: .typed,
        ],
        .paired: [
            .next: .done(.finished(device, sawTips: false)),
            .cancel: .done(.finished(device, sawTips: false)),
        ],
        .tip(0): [
            .next: .tip(1), .cancel: .done(.finished(device, sawTips: false)),
            .skipTips: .done(.finished(device, sawTips: false)),
        ],
        .tip(1): [
            .back: .tip(0), .next: .done(.finished(device, sawTips: true)),
            .cancel: .done(.finished(device, sawTips: false)),
            .skipTips: .done(.finished(device, sawTips: false)),
        ],
    ]

    @Test(arguments: screens)
    func `every screen accepts the inputs that it offers and ignores all others`(_ screen: Screen) {
        for input in Self.inputs {
            var machine = Self.machine(on: screen)
            #expect(machine.state.screen == screen)
            let before = machine.state
            let effects = machine.handle(input)
            if let expected = Self.table[screen]?[input] {
                #expect(machine.state.screen == expected, "\(screen) \(input)")
                #expect(machine.state != before || !effects.isEmpty, "\(screen) \(input)")
            } else {
                #expect(machine.state == before && effects.isEmpty, "\(screen) \(input)")
            }
        }
    }

    @Test(arguments: screens)
    func `an unexpected response changes nothing`(_ screen: Screen) {
        let answers: [Machine.Reply] = [
            .opened(Self.account), .proofNeeded, .mailSent, .passwordSet, .authorized, .pairing(Self.pairing),
            .failed(.applicationRefused),
        ]
        for answer in answers {
            var machine = Self.machine(on: screen)
            let before = machine.state
            #expect(machine.handle(.reply(answer, id: 0)).isEmpty && machine.state == before)
            let other = PairingStatus(state: .paired, device: Self.device)
            #expect(machine.handle(.status(other, pairing: "another")).isEmpty && machine.state == before)
        }
    }

    @Test(arguments: screens) func `a set-up ends once and publishes its end once`(_ screen: Screen) {
        var machine = Self.machine(on: screen)
        let first = machine.handle(.cancel)
        let isOver = if case .done = screen { true } else { false }
        #expect(first.count { if case .publish(.ended) = $0 { true } else { false } } == (isOver ? 0 : 1))
        #expect(machine.handle(.cancel).isEmpty)
        #expect(machine.handle(.start).isEmpty)
        #expect(machine.networkPassword.text.isEmpty && machine.pairing == nil)
    }

    @Test func `light waits for the whole countdown, at least three seconds of it`() {
        var options = Self.options
        options.countdown = 1
        var machine = Self.machine(on: .network, options)
        _ = machine.handle(.network(name: "Home", password: ""))
        _ = machine.handle(.reply(.pairing(Self.pairing), id: machine.requestCount))
        #expect(machine.state.screen == .safety(secondsLeft: 3))
        for left in (0..<3).reversed() {
            #expect(machine.handle(DeviceSetupInput.startLight).isEmpty)
            _ = machine.handle(.tick)
            #expect(machine.state.screen == .safety(secondsLeft: left))
        }
        #expect(machine.handle(.tick).isEmpty)
        #expect(machine.handle(DeviceSetupInput.startLight).contains(.publish(.light(true))))
    }

    @Test func `a pairing that does not fit the light is reported before the light, and can be typed`() {
        var machine = Self.machine(on: .network)
        _ = machine.handle(.network(name: "Home", password: "correct horse"))
        let effects = machine.handle(.reply(.pairing(Self.longPairing), id: machine.requestCount))
        #expect(effects == [.publish(.failed(.tooLong))])
        #expect(machine.state.screen == .failed(.tooLong) && machine.state.isTooLong)
        #expect(machine.handle(DeviceSetupInput.useTypedCode) == [.watch(Self.longPairing)])
        // This screen leads to no light and no picture, because they could not carry the pairing.
        for input in [DeviceSetupInput.usePicture, .useLight, .startLight] {
            #expect(machine.handle(input).isEmpty && machine.state.screen == .typed)
        }
        #expect(machine.handle(DeviceSetupInput.back) == [.stopWatching])
        #expect(machine.state.screen == .network)
        // The next pairing may fit.
        _ = machine.handle(.network(name: "H", password: ""))
        _ = machine.handle(.reply(.pairing(Self.pairing), id: machine.requestCount))
        #expect(machine.state.screen == .safety(secondsLeft: 3) && !machine.state.isTooLong)
    }

    @Test func `when other ways are not allowed, only another network can be chosen`() {
        var options = Self.options
        options.allowsOtherWays = false
        var machine = Self.machine(on: .failed(.tooLong), options)
        #expect(machine.handle(DeviceSetupInput.useTypedCode).isEmpty)
        _ = machine.handle(.changeNetwork)
        #expect(machine.state.screen == .network)
    }

    @Test func `a host of the maximum length fits every network, and one more byte does not`() {
        let network = String(repeating: "n", count: 32), password = String(repeating: "a", count: 64)
        for (bytes, fits) in [(Pairing.maximumHostLength, true), (Pairing.maximumHostLength + 1, false)] {
            var machine = Self.machine(on: .network)
            _ = machine.handle(.network(name: network, password: password))
            var pairing = Self.pairing
            pairing.host = String(repeating: "h", count: bytes)
            _ = machine.handle(.reply(.pairing(pairing), id: machine.requestCount))
            #expect(machine.state.isTooLong == !fits)
        }
    }

    @Test func `a pairing that cannot be read fails at once`() {
        var machine = Self.machine(on: .network)
        _ = machine.handle(.network(name: "Home", password: "correct horse"))
        var pairing = Self.pairing
        pairing.token = "short"
        let effects = machine.handle(.reply(.pairing(pairing), id: machine.requestCount))
        #expect(effects == [.giveUp(pairing: "p", .other), .publish(.failed(.server))])
        #expect(machine.state.screen == .failed(.server))
    }

    @Test(arguments: PairingState.allCases) func `the pairing status of the server decides the screen`(
        _ state: PairingState
    ) {
        for screen in [Screen.light, .picture, .typed, .waiting] {
            var machine = Self.machine(on: screen)
            let status = PairingStatus(
                state: state, reason: state == .rejected ? .wrongPassword : nil,
                device: state == .paired ? Self.device : nil)
            _ = machine.handle(.status(status, pairing: "p"))
            switch state {
            case .issued: #expect(machine.state.screen == screen)
            case .seen: #expect(machine.state.screen == .waiting)
            case .paired: #expect(machine.state.screen == .tip(0))
            case .rejected: #expect(machine.state.screen == .failed(.device(.wrongPassword)))
            case .expired, .superseded: #expect(machine.state.screen == .failed(.device(.tokenExpired)))
            }
        }
    }

    @Test func `a device that waits for its owner's proof asks for the code, and does not fail meanwhile`() {
        var machine = Self.machine(on: .waiting)
        let held = PairingStatus(state: .seen, device: Self.device, held: true)
        _ = machine.handle(.status(held, pairing: "p"))
        #expect(machine.state.screen == .code && machine.state.awaitsAddressProof && !machine.state.canGoBack)
        // The app goes on watching the pairing: it may expire, or the address may be proven elsewhere.
        for isLost in [false, true] {
            #expect(machine.handle(.timeOver(pairing: "p", isLost: isLost)) == [.watch(Self.pairing)])
            #expect(machine.state.screen == .code)
        }
        #expect(machine.handle(DeviceSetupInput.usePassword).isEmpty)
        let asked = machine.handle(DeviceSetupInput.code("1"))
        #expect(asked == [.send(.prove(email: "a@example.com", code: Hidden("1")), id: machine.requestCount)])
        let proven = machine.handle(.reply(.opened(Self.account), id: machine.requestCount))
        #expect(proven == [.watch(Self.pairing)] && machine.state.screen == .waiting)
        _ = machine.handle(.status(PairingStatus(state: .paired, device: Self.device), pairing: "p"))
        #expect(machine.state.screen == .tip(0))
    }

    @Test func `time-outs are distinguished: no light, no report, no connection`() {
        for (screen, isLost, problem) in [
            (Screen.light, false, DeviceSetup.Failure.device(.noLight)), (.waiting, false, .device(.other)),
            (.light, true, .connectionLost), (.waiting, true, .connectionLost),
        ] {
            var machine = Self.machine(on: screen)
            let effects = machine.handle(.timeOver(pairing: "p", isLost: isLost))
            #expect(machine.state.screen == .failed(problem))
            #expect(effects.contains(.publish(.failed(problem))))
        }
    }

    @Test(arguments: [Screen.picture, .typed])
    func `typing has no time limit, and afterwards the device has its whole time`(_ screen: Screen) {
        var machine = Self.machine(on: screen)
        for _ in 0..<3 {
            #expect(machine.handle(.timeOver(pairing: "p", isLost: false)) == [.watch(Self.pairing)])
            #expect(machine.state.screen == screen && machine.pairing == Self.pairing)
        }
        var slow = machine, lost = machine, old = machine
        #expect(machine.handle(.next) == [.watch(Self.pairing)] && machine.state.screen == .waiting)
        // A device that reports before the button is pressed also gets the whole time.
        let seen = slow.handle(.status(PairingStatus(state: .seen), pairing: "p"))
        #expect(seen == [.watch(Self.pairing)] && slow.state.screen == .waiting)
        #expect(slow.handle(.status(PairingStatus(state: .seen), pairing: "p")).isEmpty)
        _ = slow.handle(.timeOver(pairing: "p", isLost: false))
        #expect(slow.state.screen == .failed(.device(.other)))
        _ = lost.handle(.timeOver(pairing: "p", isLost: true))
        #expect(lost.state.screen == .failed(.connectionLost))
        // The screen ends when the code expires on the server.
        _ = old.handle(.status(PairingStatus(state: .expired), pairing: "p"))
        #expect(old.state.screen == .failed(.device(.tokenExpired)))
    }

    @Test func `a new try after a failure requests a new token`() {
        var machine = Self.machine(on: .failed(.device(.noLight)))
        #expect(machine.pairing == nil)
        let effects = machine.handle(.tryAgain)
        #expect(effects == [.send(.pair, id: machine.requestCount)])
        _ = machine.handle(.reply(.pairing(Self.pairing), id: machine.requestCount))
        #expect(machine.state.screen == .safety(secondsLeft: 3))
        #expect(machine.networkPassword.text == "correct horse")
    }

    @Test
    func `an address is checked before any request, and letters beyond ASCII have their own message`() {
        let cases: [(String, DeviceSetupMistake?)] = [
            ("abc", .address), ("", .address), ("jörg@example.com", .addressLetters),
            ("ada@bücher.example", .addressLetters), ("ada@xn--bcher-kva.example", nil),
        ]
        for (address, mistake) in cases {
            var machine = Self.machine(on: .mail)
            let effects = machine.handle(.mail(address))
            #expect(machine.state.mistake == mistake, "\(address)")
            #expect(effects.isEmpty == (mistake != nil))
        }
    }

    @Test func `a network is checked before any request`() {
        let cases: [(String, String, DeviceSetupMistake?)] = [
            ("", "", .networkName), (String(repeating: "ä", count: 17), "", .networkName), ("Home", "", nil),
            ("Home", "1234567", .networkPassword), ("Home", "12345678", nil),
            ("Home", String(repeating: "x", count: 64), .networkPassword),
            ("Home", String(repeating: "aF", count: 32), nil),
            ("Home", String(repeating: "x", count: 63), nil),
        ]
        for (name, password, mistake) in cases {
            var machine = Self.machine(on: .network)
            let effects = machine.handle(.network(name: name, password: password))
            #expect(machine.state.mistake == mistake, "\(name)")
            #expect(effects.isEmpty == (mistake != nil))
        }
    }

    @Test func `without tips a paired device is the last screen`() {
        var options = Self.options
        options.tips = 0
        var machine = Self.machine(on: .waiting, options)
        _ = machine.handle(.status(PairingStatus(state: .paired, device: Self.device), pairing: "p"))
        #expect(machine.state.screen == .paired)
        let effects = machine.handle(.next)
        #expect(effects == [.publish(.ended(.finished(Self.device, sawTips: false)))])
    }

    @Test func `tips alone ask for no account and no light`() {
        var machine = Machine(Self.options, isLoggedIn: false, tipsOnly: true)
        _ = machine.handle(.start)
        #expect(machine.state.screen == .tip(0))
        _ = machine.handle(.next)
        let effects = machine.handle(.next)
        #expect(effects == [.publish(.tipsCompleted), .publish(.ended(.tipsOnly(sawTips: true)))])
    }

    @Test func `a way that is not allowed is ignored`() {
        var options = Self.options
        options.allowsOtherWays = false
        for input in [DeviceSetupInput.usePicture, .useTypedCode] {
            var machine = Self.machine(on: .safety(secondsLeft: 0), options)
            #expect(machine.handle(input).isEmpty)
        }
    }
}
