internal import InlayDevices

/// The two meanings of `loginUserWithEmail:password:`.
struct HKLogIn: Sendable {
    let accounts: DeviceAccounts

    /// Whether the user is in.
    func run(_ email: String, _ password: String) async -> Bool {
        do throws(AccountError) {
            // Only somebody unknown here, without a password, is somebody new.
            guard password.isEmpty, await accounts.current == nil else {
                try await accounts.logIn(email: email, password: password)
                return true
            }
            if case .opened = try await accounts.createAccount(email: email) { return true }
            return false
        } catch {
            return false
        }
    }
}
