@_spi(Inlay) import InlayWire

/// The screens from the mail address to the log-in.
extension DeviceSetupMachine {
    mutating func actOnAccount(_ input: DeviceSetupInput) {
        guard !state.isBusy else { return }
        switch (state.screen, input) {
        case (.mail, .mail(let address)): submit(address)
        case (.mail, .forgotAddress), (.logIn, .forgotAddress): effects.append(.recoverAddress)
        case (.reset, .recoverPassword): effects.append(.recoverPassword)
        case (.code, .usePassword) where state.awaitsAddressProof: break
        case (.mail, .usePassword), (.code, .usePassword): if hasAddress() { show(.logIn) }
        case (.logIn, .useCode):
            show(.code)
            send(.createAccount(email: state.email))
        case (.code, .sendAgain):
            send(.createAccount(email: state.email))
            state.wasSentAgain = true
        case (.code, .code(let code)):
            guard !code.isEmpty else { return state.mistake = .code }
            send(.prove(email: state.email, code: Hidden(code)))
        case (.logIn, .password(let password)):
            guard !password.isEmpty else { return state.mistake = .password }
            send(.logIn(email: state.email, password: Hidden(password)))
        case (.logIn, .forgotPassword), (.reset, .sendAgain):
            let isAgain = state.screen == .reset
            show(.reset)
            send(.resetPassword(email: state.email))
            state.wasSentAgain = isAgain
        case (.reset, .newPassword(let code, let password)):
            guard !code.isEmpty else { return state.mistake = .code }
            guard !password.isEmpty else { return state.mistake = .unfitPassword(nil) }
            send(.setPassword(email: state.email, code: Hidden(code), password: Hidden(password)))
        default: break
        }
    }

    private mutating func submit(_ typed: String) {
        state.email = typed
        guard let address = MailAddress(typed) else { return state.mistake = .address }
        guard address.isASCII else { return state.mistake = .addressLetters }
        state.email = address.text
        send(.createAccount(email: address.text))
    }

    private mutating func hasAddress() -> Bool {
        guard MailAddress(state.email) == nil else { return true }
        state.mistake = .address
        return false
    }

    mutating func apply(_ reply: Reply) {
        switch reply {
        case .opened(let account):
            state.email = account.email
            isLoggedIn = true
            if state.awaitsAddressProof { return proven() }
            publish(.authenticated(true))
            authorize()
        case .proofNeeded:
            if state.screen == .mail { show(options.afterMail == .logIn ? .logIn : .code) }
        case .mailSent: break
        case .passwordSet: show(.logIn)
        case .authorized:
            publish(.authorized(true))
            show(.network)
        case .pairing(let pairing):
            self.pairing = pairing
            state.awaitsAddressProof = false
            beginTransfer()
        case .failed(let error): failed(error)
        }
    }

    private mutating func failed(_ error: AccountError) {
        switch (state.screen, error.code) {
        case (_, .applicationRefused):
            publish(.authorized(false))
            show(.failed(.applicationRefused))
        case (.authorizing, .notLoggedIn), (.network, .notLoggedIn), (.failed, .notLoggedIn):
            isLoggedIn = false
            show(state.email.isEmpty ? .mail : .logIn)
            state.mistake = .loggedOut
        case (.authorizing, _):
            publish(.authorized(false))
            show(.failed(Self.problem(error)))
        case (.failed, _): show(.failed(Self.problem(error)))
        case (.network, _): state.mistake = Self.mistake(error)
        default:
            if Self.wasSubmitted(error) { publish(.authenticated(false)) }
            state.mistake = Self.mistake(error)
        }
    }

    // Whether the log-in was submitted; an address that is invalid by its form never is.
    private static func wasSubmitted(_ error: AccountError) -> Bool {
        error != .invalidAddress && error != .unsupportedAddress
    }

    private static func problem(_ error: AccountError) -> DeviceSetup.Failure {
        switch error.code {
        case .network: .connectionLost
        case .applicationRefused: .applicationRefused
        default: .server
        }
    }

    private static func mistake(_ error: AccountError) -> DeviceSetupMistake {
        switch error.code {
        case .invalidAddress: .address
        case .unsupportedAddress: .addressLetters
        case .refused: .password
        case .codeRefused: .code
        case .unfitPassword: .unfitPassword(error.explanation)
        case .tooMany: .tooMany
        case .network: .offline
        case .notLoggedIn: .loggedOut
        default: .server
        }
    }
}
