import InlayCore
@_spi(Inlay) import InlayWire

/// The owner of the one session of the account that is logged in.
actor DeviceSessions {
    private let dependencies: DeviceDependencies
    private let accounts: DeviceAccounts
    private var opening: (account: String, task: Task<InlaySession, any Error>)?

    init(_ dependencies: DeviceDependencies, _ accounts: DeviceAccounts) {
        self.dependencies = dependencies
        self.accounts = accounts
    }

    func current() async throws -> InlaySession {
        guard let account = await accounts.current else { throw AccountError.notLoggedIn }
        if let opening, opening.account == account.id { return try await opening.task.value }
        // Ends when the session has opened or failed to open.
        let task = Task { try await self.open(account) }
        opening = (account.id, task)
        do { return try await task.value } catch {
            // The next caller tries again.
            if opening?.account == account.id { opening = nil }
            throw error
        }
    }

    /// Logs out of the open session, unless it belongs to this account.
    func changed(to account: DeviceAccount?) async {
        guard let old = opening, old.account != account?.id else { return }
        opening = nil
        // Requests that could not be sent are lost, because they need this log-in.
        try? await old.task.value.logOut()
    }

    private func open(_ account: DeviceAccount) async throws -> InlaySession {
        var configuration = dependencies.configuration.session
        let accounts = accounts
        configuration.opaqueTokens = OpaqueTokens(subject: account.userID, standAlone: false) { token in
            accounts.lifetime(of: token)
        }
        return try await InlaySession(
            configuration: configuration, transport: dependencies.plainTransport, clock: dependencies.clock
        ) { await accounts.tokenForSession(of: account.id) }
    }
}
