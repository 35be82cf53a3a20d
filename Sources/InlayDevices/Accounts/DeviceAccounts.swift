import Foundation
import InlayCore
@_spi(Inlay) public import InlayWire

/// The account that is logged in, and all actions that change it.
///
/// The log-in is stored and survives a restart of the app. Tokens are renewed automatically, by one request at a time,
/// and are sent to no other server.
public actor DeviceAccounts {
    /// The outcome of a request to create an account.
    public enum Creation: Hashable, Sendable {
        /// The account was created and the user is logged in; the address may still have to be proven.
        case opened(DeviceAccount)
        /// A mail was sent: prove the address with its code, or log in. The outcome is the same for known and unknown
        /// addresses.
        case proofNeeded
    }

    nonisolated let dependencies: DeviceDependencies
    nonisolated let tokens: AccountTokenCache
    private let client: AccountClient
    private let logOuts: PendingLogOuts
    private let observers = Observers<DeviceAccount?>(.bufferingNewest(64))
    private let cachedApplicationToken = Locked<String?>(nil)
    /// The last request to create an account; its id is sent with the proof.
    private var creationRequest: (email: String, id: String)?
    /// The last request to reset a password; its id is sent with the new password.
    private var resetRequest: (email: String, id: String)?
    private var hooks: [@Sendable (DeviceAccount?) async -> Void] = []

    init(_ dependencies: DeviceDependencies) {
        self.dependencies = dependencies
        client = AccountClient(dependencies: dependencies)
        tokens = AccountTokenCache(dependencies)
        logOuts = PendingLogOuts(dependencies)
    }

    /// The account that is logged in; `nil` when no user is.
    public var current: DeviceAccount? { tokens.account }

    /// Returns a stream of the account that is logged in: the current one, and each change. Any number of observers may
    /// read.
    public nonisolated func observe() -> AsyncStream<DeviceAccount?> {
        observers.stream(first: tokens.account)
    }

    // MARK: Log-in

    /// Requests an account. The password is optional: users of an account without one log in with codes from mails.
    public func createAccount(email: String, password: String? = nil) async throws(AccountError) -> Creation {
        let body = AccountRequest(email: try Self.address(email), password: password)
        let answer = try await client.send("POST", InlayPath.deviceAccounts, body: dependencies.body(body))
        guard answer.status == 201 else {
            let next: AccountNext = try AccountClient.decoded(answer)
            creationRequest = next.request.map { (body.email, $0) }
            return .proofNeeded
        }
        return .opened(try await finishLogIn(AccountClient.decoded(answer)))
    }

    /// Proves an address with the code from the mail, and logs in.
    @discardableResult
    public func prove(email: String, code: String) async throws(AccountError) -> DeviceAccount {
        let address = try Self.address(email)
        let body = AccountProof(
            email: address, code: code,
            request: creationRequest?.email == address ? creationRequest?.id : nil)
        // When the account was opened at once, its user is logged in already: with the token they stay logged in.
        let bearer = tokens.account?.email == address ? try? await tokens.token() : nil
        let opening = try await client.post(
            InlayPath.deviceAccountProof, body, bearer: bearer, AccountOpening.self)
        creationRequest = nil
        return try await finishLogIn(opening)
    }

    /// Logs in. A failed log-in never creates an account.
    @discardableResult
    public func logIn(email: String, password: String) async throws(AccountError) -> DeviceAccount {
        let body = AccountLogIn(email: try Self.address(email), password: password)
        return try await finishLogIn(client.post(InlayPath.deviceSessions, body, AccountOpening.self))
    }

    // MARK: Passwords

    /// Requests a mail with a code to set another password. No mail is sent when there is no such account.
    public func resetPassword(email: String) async throws(AccountError) {
        let body = PasswordReset(email: try Self.address(email))
        let answer = try await client.send(
            "POST", InlayPath.devicePasswordReset, body: dependencies.body(body))
        // The mail was sent, even if the body is unreadable.
        let next: AccountNext? = try? AccountClient.decoded(answer)
        resetRequest = next?.request.map { (body.email, $0) }
    }

    /// Sets a password with the code from the mail. Ends the account's other sessions and logs no user in.
    public func setPassword(
        email: String, code: String, newPassword: String
    ) async throws(AccountError) {
        let address = try Self.address(email)
        let body = NewPassword(
            email: address, code: code, newPassword: newPassword,
            request: resetRequest?.email == address ? resetRequest?.id : nil)
        _ = try await client.send("POST", InlayPath.devicePassword, body: dependencies.body(body))
        if resetRequest?.id == body.request { resetRequest = nil }
    }

    /// Changes the password of the account that is logged in, and ends its other sessions.
    public func changePassword(old: String, new: String) async throws(AccountError) {
        let body = try dependencies.body(PasswordChange(oldPassword: old, newPassword: new))
        _ = try await authorized("POST", InlayPath.devicePasswordChange, body)
    }

    // MARK: The application

    /// Requests a token by which the app maker's other servers identify the user and the app.
    ///
    /// - Throws: `applicationRefused` when the application was revoked.
    public func applicationToken() async throws(AccountError) -> String {
        do throws(AccountError) {
            let answer = try await authorized("POST", InlayPath.deviceApplicationToken, nil)
            let token: ApplicationToken = try AccountClient.decoded(answer)
            cachedApplicationToken.withLock { $0 = token.token }
            return token.token
        } catch {
            cachedApplicationToken.withLock { $0 = nil }
            if error.problem?.status == 403 { throw .applicationRefused }
            throw error
        }
    }

    /// The last token that `applicationToken()` returned; `nil` before that, after a refusal, and once its user has
    /// logged out. Never stored on disk.
    public nonisolated var lastApplicationToken: String? { cachedApplicationToken.withLock { $0 } }

    // MARK: Tokens

    /// Returns a token for requests to this server. A token that expires within a minute is renewed first.
    public func accessToken() async throws(AccountError) -> String { try await tokens.token() }

    /// Returns the token for the session of an account; `nil` when that account is not logged in, or without a valid
    /// token.
    func tokenForSession(of account: String) async -> String? {
        guard tokens.account?.id == account else { return nil }
        do throws(AccountError) { return try await tokens.tokenForSession() } catch {
            if error == .notLoggedIn { await handleEnd() }
            return nil
        }
    }

    nonisolated func lifetime(of token: String) -> Duration? { tokens.lifetime(of: token) }

    func onChange(_ hook: @escaping @Sendable (DeviceAccount?) async -> Void) { hooks.append(hook) }

    /// Reads the log-in of an earlier run, and sends pending log-outs to the server.
    func restore() async {
        await logOuts.restore()
        await tokens.restore()
        if let session = tokens.session, await logOuts.contains(session) {
            await tokens.removeLogIn()
        }
        observers.yield(tokens.account)
        await logOuts.sendSoon()
    }

    // MARK: Private

    private func finishLogIn(_ opening: AccountOpening) async throws(AccountError) -> DeviceAccount {
        if let old = tokens.account, old.id != opening.account.id {
            for hook in hooks { await hook(nil) }
        }
        cachedApplicationToken.withLock { $0 = nil }
        // Read after the hooks, which may have had the tokens renewed.
        let old = tokens.session
        try await tokens.store(opening)
        // Without this, the replaced log-in would stay valid at the server, and no client could end it.
        if let old { await logOuts.add(old) }
        for hook in hooks { await hook(opening.account) }
        await logOuts.sendSoon()
        observers.yield(opening.account)
        return opening.account
    }

    // MARK: Log-out

    /// Closes the session while the tokens are still valid: its pending requests need them.
    func closeSession() async { for hook in hooks { await hook(nil) } }

    /// Removes the log-in from this device. Unless the server ended it already, a log-out is queued for the server
    /// first.
    func removeLogIn(isEnded: Bool = false) async {
        if !isEnded, let session = tokens.session { await logOuts.add(session) }
        cachedApplicationToken.withLock { $0 = nil }
        (creationRequest, resetRequest) = (nil, nil)
        await tokens.removeLogIn()
        observers.yield(nil)
        await logOuts.send()
    }

    /// Sends a request with a token; after a 401, once more with a new token.
    func authorized(
        _ method: String, _ path: String, _ body: Data?
    ) async throws(AccountError) -> TransportResponse {
        let token = try await currentToken()
        do throws(AccountError) {
            return try await client.send(method, path, body: body, bearer: token)
        } catch .notLoggedIn {
            let other = try await replacementToken(for: token)
            return try await client.send(method, path, body: body, bearer: other)
        }
    }

    private func currentToken() async throws(AccountError) -> String {
        do throws(AccountError) { return try await tokens.token() } catch {
            if error == .notLoggedIn { await handleEnd() }
            throw error
        }
    }

    private func replacementToken(for token: String) async throws(AccountError) -> String {
        do throws(AccountError) { return try await tokens.replacement(for: token) } catch {
            if error == .notLoggedIn { await handleEnd() }
            throw error
        }
    }

    /// Reacts to a log-in that the server has ended.
    private func handleEnd() async {
        guard tokens.account == nil else { return }
        cachedApplicationToken.withLock { $0 = nil }
        observers.yield(nil)
        // In a task of its own, because the session that must be closed may be waiting for this call. Ends with the
        // session's log-out.
        Task { await self.closeSession() }
    }

    private static func address(_ text: String) throws(AccountError) -> String {
        try MailAddress.ofAccount(text).text
    }
}

extension MailAddress {
    /// Returns an address that an account can have; throws `invalidAddress` or `unsupportedAddress` for others.
    static func ofAccount(_ text: String) throws(AccountError) -> MailAddress {
        guard let address = MailAddress(text) else { throw .invalidAddress }
        guard address.isASCII else { throw .unsupportedAddress }
        return address
    }
}
