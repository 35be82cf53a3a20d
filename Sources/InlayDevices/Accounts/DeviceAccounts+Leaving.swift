import InlayCore
@_spi(Inlay) public import InlayWire

/// The log-out, the list of sessions, and the deletion of the account.
extension DeviceAccounts {
    /// Logs out and removes the log-in from this device.
    ///
    /// Notifies the server before this returns if the server can be reached, otherwise later, also after a restart of
    /// the app. Until then only a hash is stored, which ends the session and grants no access. Does nothing when no
    /// user is logged in; returns whether one was.
    @discardableResult
    public func logOut() async -> Bool {
        guard tokens.account != nil else { return false }
        await closeSession()
        await removeLogIn()
        return true
    }

    /// Ends all sessions of the account, on this device and on all others.
    ///
    /// - Throws: An error when the server could not be reached. This device is then logged out as by `logOut()`; the
    ///   others are not.
    public func logOutEverywhere() async throws(AccountError) {
        guard tokens.account != nil else { throw .notLoggedIn }
        await closeSession()
        do throws(AccountError) {
            _ = try await authorized("DELETE", InlayPath.deviceSessionsAll, nil)
            await removeLogIn(isEnded: true)
        } catch .notLoggedIn {
            // The server has ended the session already, as intended.
            await removeLogIn(isEnded: true)
        } catch {
            await removeLogIn()
            throw error
        }
    }

    /// Returns the sessions of the account, the most recently used first.
    public func sessions() async throws(AccountError) -> [AccountSessionSummary] {
        let answer = try await authorized("GET", InlayPath.deviceSessions, nil)
        let list: AccountSessionList = try AccountClient.decoded(answer)
        return list.sessions.elements
    }

    /// Ends one of the account's sessions, on any device. To end this device's own session, use `logOut()`.
    public func endSession(_ id: String) async throws(AccountError) {
        _ = try await authorized("DELETE", InlayPath.deviceSession(id), nil)
    }

    /// Requests a mail with a code to delete the account, for accounts without a password and for users who forgot
    /// theirs.
    public func requestDeletion() async throws(AccountError) {
        _ = try await authorized("POST", InlayPath.deviceAccountDeletionCode, nil)
    }

    /// Deletes the account that is logged in, with its password. Its devices then have no owner and must be set up
    /// again; all sessions end, and this device removes the log-in.
    ///
    /// - Throws: `refused` for a wrong password; nothing has changed then.
    public func deleteAccount(password: String) async throws(AccountError) {
        try await delete(AccountDeletion(password: password))
    }

    /// Deletes the account with the code from the mail of `requestDeletion()`; throws `codeRefused` for a wrong one.
    public func deleteAccount(code: String) async throws(AccountError) {
        try await delete(AccountDeletion(code: code))
    }

    private func delete(_ deletion: AccountDeletion) async throws(AccountError) {
        _ = try await authorized("POST", InlayPath.deviceAccountDeletion, dependencies.body(deletion))
        // Before the session is closed: its pending requests must not be sent any more.
        await removeLogIn(isEnded: true)
        await closeSession()
    }
}
