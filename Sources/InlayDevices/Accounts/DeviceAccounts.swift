import Foundation
import InlayCore
@_spi(Inlay) public import InlayWire

/// The account that is logged in, and all actions that change it.
///
/// The log-in outlives the app's run. Tokens are renewed by themselves, at most one renewal at a time, and
/// never leave this object but to the server.
public actor DeviceAccounts {
    /// The outcome of a request for an account.
    public enum Creation: Hashable, Sendable {
        /// The account is there and logged in; its address may still have to be proven.
        case opened(DeviceAccount)
        /// A mail is on its way: prove the address with its code, or log in. The same for known and unknown
        /// addresses.
        case proofNeeded
    }

    nonisolated let parts: DeviceDependencies
    nonisolated let tokens: AccountTokenCache
    private let client: AccountClient
    private let logOuts: PendingLogOuts
    private let observers = Observers<DeviceAccount?>(.bufferingNewest(64))
    private let application = Locked<String?>(nil)
    /// The id of the last request for an account, to be sent with its proof.
    private var request: (email: String, id: String)?
    /// The same of the last request for another password.
    private var reset: (email: String, id: String)?
    private var hooks: [@Sendable (DeviceAccount?) async -> Void] = []

    init(_ parts: DeviceDependencies) {
        self.parts = parts
        client = AccountClient(parts: parts)
        tokens = AccountTokenCache(parts)
        logOuts = PendingLogOuts(parts)
    }

    /// The account that is logged in.
    public var current: DeviceAccount? { tokens.account }

    /// The account that is logged in, at once and after every change; any number of observers.
    public nonisolated func observe() -> AsyncStream<DeviceAccount?> {
        observers.stream(first: tokens.account)
    }

    // MARK: Getting in

    /// Asks for an account. A password is optional: an account can live on codes by mail.
    public func createAccount(email: String, password: String? = nil) async throws(AccountError) -> Creation {
        let body = AccountRequest(email: try Self.address(email), password: password)
        let answer = try await client.send("POST", InlayPath.deviceAccounts, body: parts.body(body))
        guard answer.status == 201 else {
            let next: AccountNext = try AccountClient.decoded(answer)
            request = next.request.map { (body.email, $0) }
            return .proofNeeded
        }
        return .opened(try await enter(AccountClient.decoded(answer)))
    }

    /// Proves an address with the code from the mail, and logs in.
    @discardableResult
    public func prove(email: String, code: String) async throws(AccountError) -> DeviceAccount {
        let address = try Self.address(email)
        let body = AccountProof(
            email: address, code: code, request: request?.email == address ? request?.id : nil)
        // The user who is logged in to an account that was opened at once proves its address, and stays logged in.
        let bearer = tokens.account?.email == address ? try? await tokens.token() : nil
        let opening = try await client.post(
            InlayPath.deviceAccountProof, body, bearer: bearer, AccountOpening.self)
        request = nil
        return try await enter(opening)
    }

    /// Logs in. A log-in that fails never makes an account.
    @discardableResult
    public func logIn(email: String, password: String) async throws(AccountError) -> DeviceAccount {
        let body = AccountLogIn(email: try Self.address(email), password: password)
        return try await enter(client.post(InlayPath.deviceSessions, body, AccountOpening.self))
    }

    // MARK: Passwords

    /// Has a mail sent with a code to set another password, if there is such an account.
    public func resetPassword(email: String) async throws(AccountError) {
        let body = PasswordReset(email: try Self.address(email))
        let answer = try await client.send("POST", InlayPath.devicePasswordReset, body: parts.body(body))
        // The mail is on its way, whatever else the answer says.
        let next: AccountNext? = try? AccountClient.decoded(answer)
        reset = next?.request.map { (body.email, $0) }
    }

    /// Sets a password with the code from the mail; ends the account's other sessions and logs nobody in.
    public func setPassword(
        email: String, code: String, newPassword: String
    ) async throws(AccountError) {
        let address = try Self.address(email)
        let body = NewPassword(
            email: address, code: code, newPassword: newPassword,
            request: reset?.email == address ? reset?.id : nil)
        _ = try await client.send("POST", InlayPath.devicePassword, body: parts.body(body))
        if reset?.id == body.request { reset = nil }
    }

    /// Sets another password for the account that is logged in; ends its other sessions.
    public func changePassword(old: String, new: String) async throws(AccountError) {
        let body = try parts.body(PasswordChange(oldPassword: old, newPassword: new))
        _ = try await authorized("POST", InlayPath.devicePasswordChange, body)
    }

    // MARK: The application

    /// Returns a token by which the app maker's other servers identify the user and the app.
    ///
    /// - Throws: `applicationRefused` when the application was revoked.
    public func applicationToken() async throws(AccountError) -> String {
        do throws(AccountError) {
            let answer = try await authorized("POST", InlayPath.deviceApplicationToken, nil)
            let token: ApplicationToken = try AccountClient.decoded(answer)
            application.withLock { $0 = token.token }
            return token.token
        } catch {
            application.withLock { $0 = nil }
            if error.problem?.status == 403 { throw .applicationRefused }
            throw error
        }
    }

    /// The token that `applicationToken()` brought last; `nil` before that, after it was refused, and when the
    /// person who it speaks for is not logged in any more. Not kept on disk.
    public nonisolated var lastApplicationToken: String? { application.withLock { $0 } }

    // MARK: Tokens

    /// A token with life left in it, for requests to this server. Renewed when it has to be.
    public func accessToken() async throws(AccountError) -> String { try await tokens.token() }

    /// The token for a session of an account; `nil` when the account is not the one logged in.
    func tokenForSession(of account: String) async -> String? {
        guard tokens.account?.id == account else { return nil }
        do throws(AccountError) { return try await tokens.tokenForSession() } catch {
            if error == .notLoggedIn { await ended() }
            return nil
        }
    }

    nonisolated func lifetime(of token: String) -> Duration? { tokens.lifetime(of: token) }

    func onChange(_ hook: @escaping @Sendable (DeviceAccount?) async -> Void) { hooks.append(hook) }

    /// Reads the log-in of an earlier run, and sends pending log-outs to the server.
    func restore() async {
        await logOuts.restore()
        await tokens.restore()
        if let session = tokens.session, await logOuts.hold(session) { await tokens.forget() }
        observers.yield(tokens.account)
        await logOuts.sendSoon()
    }

    // MARK: Below

    private func enter(_ opening: AccountOpening) async throws(AccountError) -> DeviceAccount {
        if let old = tokens.account, old.id != opening.account.id {
            for hook in hooks { await hook(nil) }
        }
        application.withLock { $0 = nil }
        // Read after the hooks, which may have had it renewed.
        let old = tokens.session
        try await tokens.take(opening)
        // The replaced log-in would stay valid at the server, and no client could end it.
        if let old { await logOuts.add(old) }
        for hook in hooks { await hook(opening.account) }
        await logOuts.sendSoon()
        observers.yield(opening.account)
        return opening.account
    }

    // MARK: Getting out

    /// Before the tokens go: what the session still has to send needs them.
    func leaveSession() async { for hook in hooks { await hook(nil) } }

    /// Forgets the log-in, having noted that the server must hear of it unless it has ended there.
    func forget(isEnded: Bool = false) async {
        if !isEnded, let session = tokens.session { await logOuts.add(session) }
        application.withLock { $0 = nil }
        (request, reset) = (nil, nil)
        await tokens.forget()
        observers.yield(nil)
        await logOuts.publish()
    }

    /// Sends with a token; a 401 leads to one new token and one more try.
    func authorized(
        _ method: String, _ path: String, _ body: Data?
    ) async throws(AccountError) -> TransportResponse {
        let token = try await currentToken()
        do throws(AccountError) {
            return try await client.send(method, path, body: body, bearer: token)
        } catch .notLoggedIn {
            let other = try await replaced(token)
            return try await client.send(method, path, body: body, bearer: other)
        }
    }

    private func currentToken() async throws(AccountError) -> String {
        do throws(AccountError) { return try await tokens.token() } catch {
            if error == .notLoggedIn { await ended() }
            throw error
        }
    }

    private func replaced(_ token: String) async throws(AccountError) -> String {
        do throws(AccountError) { return try await tokens.replacement(for: token) } catch {
            if error == .notLoggedIn { await ended() }
            throw error
        }
    }

    /// The server ended the log-in.
    private func ended() async {
        guard tokens.account == nil else { return }
        application.withLock { $0 = nil }
        observers.yield(nil)
        // In a task of its own: the session that ends may be the one that asked. Ends with its log-out.
        Task { await self.leaveSession() }
    }

    private static func address(_ text: String) throws(AccountError) -> String {
        try MailAddress.ofAccount(text).text
    }
}

extension MailAddress {
    /// The address as an account can have it; nothing is sent for one that none can.
    static func ofAccount(_ text: String) throws(AccountError) -> MailAddress {
        guard let address = MailAddress(text) else { throw .invalidAddress }
        guard address.isASCII else { throw .unsupportedAddress }
        return address
    }
}
