import InlayCore
@_spi(Inlay) import InlayWire

/// The server requests of a set-up.
struct DeviceSetupRequests: Sendable {
    let devices: Devices

    func reply(to request: DeviceSetupMachine.Request) async -> DeviceSetupMachine.Reply {
        do throws(AccountError) { return try await send(request) } catch { return .failed(error) }
    }

    private func send(
        _ request: DeviceSetupMachine.Request
    ) async throws(AccountError) -> DeviceSetupMachine.Reply {
        let accounts = devices.accounts
        switch request {
        case .createAccount(let email):
            switch try await accounts.createAccount(email: email) {
            case .opened(let account): return .opened(account)
            case .proofNeeded: return .proofNeeded
            }
        case .prove(let email, let code):
            return .opened(try await accounts.prove(email: email, code: code.text))
        case .logIn(let email, let password):
            return .opened(try await accounts.logIn(email: email, password: password.text))
        case .resetPassword(let email):
            try await accounts.resetPassword(email: email)
            return .mailSent
        case .setPassword(let email, let code, let password):
            try await accounts.setPassword(email: email, code: code.text, newPassword: password.text)
            return .passwordSet
        case .authorize:
            _ = try await accounts.applicationToken()
            return .authorized
        case .pair: return .pairing(try await devices.startPairing(name: name))
        }
    }

    /// The device's name; `nil` lets the device use its own.
    var name: String?
}
