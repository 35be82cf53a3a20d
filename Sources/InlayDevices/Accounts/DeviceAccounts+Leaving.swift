import InlayCore
@_spi(Inlay) public import InlayWire

/// Log-outs, and the end of the account.
extension DeviceAccounts {
    /// Logs out and forgets the log-in.
    ///
    /// Notifies the server before this returns if it can be reached, later otherwise, also after the app was
    /// started anew; until then only a hash is kept, which ends the session and grants no access.
    /// Does nothing when no user is logged in; returns whether one was.
    @discardableResult
    public func logOut() async -> Bool {
        guard tokens.account != nil else { return false }
        await leaveSession()
        await forget()
        return true
    }

    /// Ends every session of the account, this one too, also on other devices.
    ///
    /// - Throws: when the server could not be reached. Then this device is logged out as by `logOut()`, and the
    ///   others are not.
    public func logOutEverywhere() async throws(AccountError) {
        guard tokens.account != nil else { throw .notLoggedIn }
        await leaveSession()
        do throws(AccountError) {
            _ = try await authorized("DELETE", InlayPath.deviceSessionsAll, nil)
            await forget(isEnded: true)
        } catch .notLoggedIn {
            // Ended at the server already: that is what was wanted.
            await forget(isEnded: true)
        } catch {
            await forget()
            throw error
        }
    }

    /// The sessions of the account, the most recently used first.
    public func sessions() async throws(AccountError) -> [AccountSessionSummary] {
        let answer = try await authorized("GET", InlayPath.deviceSessions, nil)
        let list: AccountSessionList = try AccountClient.decoded(answer)
        return list.sessions.elements
    }

    /// Ends one of the account's sessions, on whatever device. For this one, `logOut()` is the better way.
    public func endSession(_ id: String) async throws(AccountError) {
        _ = try await authorized("DELETE", InlayPath.deviceSession(id), nil)
    }

    /// Has a code mailed with which the account can be deleted: for accounts without a password, and for people
    /// who forgot theirs.
    public func requestDeletion() async throws(AccountError) {
        _ = try await authorized("POST", InlayPath.deviceAccountDeletionCode, nil)
    }

    /// Deletes the account that is logged in, with its password. Its devices are nobody's then and have to be
    /// set up anew; it is logged out everywhere, and this device forgets it.
    ///
    /// - Throws: `refused` for a wrong password; then nothing has changed.
    public func deleteAccount(password: String) async throws(AccountError) {
        try await delete(AccountDeletion(password: password))
    }

    /// The same with the code from the mail of `requestDeletion()`; `codeRefused` for a wrong one.
    public func deleteAccount(code: String) async throws(AccountError) {
        try await delete(AccountDeletion(code: code))
    }

    private func delete(_ deletion: AccountDeletion) async throws(AccountError) {
        _ = try await authorized("POST", InlayPath.deviceAccountDeletion, parts.body(deletion))
        // Before the session is left: what it still has to send is nobody's any more.
        await forget(isEnded: true)
        await leaveSession()
    }
}
