import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// Holds the tokens of the log-in: in the vault, in memory, and never more than one renewal under way.
final class AccountTokenCache: Sendable {
    private struct State {
        var opening: AccountOpening?
        var renewal: (id: Int, task: Task<Result<AccountOpening, AccountError>, Never>)?
        var renewals = 0
        /// The token that the session was given last.
        var handedOut: String?
    }

    /// A token with less life than this is renewed before it is used.
    static let margin = Duration.seconds(60)

    private let parts: DeviceDependencies
    private let client: AccountClient
    private let state = Locked(State())

    init(_ parts: DeviceDependencies) {
        self.parts = parts
        client = AccountClient(parts: parts)
    }

    var account: DeviceAccount? { state.withLock { $0.opening?.account } }

    /// The tokens, for ending them at the server.
    var session: AccountSession? { state.withLock { $0.opening?.session } }

    func restore() async {
        guard let data = try? await parts.vault.load(),
            let opening = try? JSONDecoder().decode(AccountOpening.self, from: data)
        else { return }
        state.withLock { $0.opening = opening }
    }

    /// Keeps a new log-in in place of any other. It counts once it is in the vault.
    func take(_ opening: AccountOpening) async throws(AccountError) {
        // Its answer belongs to the log-in before, and must not get into the vault after this one.
        _ = await state.withLock { $0.renewal?.task }?.value
        do { try await parts.vault.save(JSONEncoder().encode(opening)) } catch {
            throw .storage("the log-in could not be kept")
        }
        state.withLock { state in
            state.opening = opening
            state.handedOut = nil
        }
    }

    /// Forgets the log-in. When the vault cannot be written, at least this run knows nothing of it.
    func forget() async {
        state.withLock { state in
            state.opening = nil
            state.handedOut = nil
        }
        try? await parts.vault.save(nil)
    }

    func token() async throws(AccountError) -> String {
        guard let opening = state.withLock({ $0.opening }) else { throw .notLoggedIn }
        if isFresh(opening.session) { return opening.session.accessToken }
        return try await renewed(opening).session.accessToken
    }

    /// Another token in place of one that the server refused.
    func replacement(for refused: String) async throws(AccountError) -> String {
        guard let opening = state.withLock({ $0.opening }) else { throw .notLoggedIn }
        guard opening.session.accessToken == refused else { return try await token() }
        return try await renewed(opening).session.accessToken
    }

    /// A token for the session. The session asks again while its token still lives only when the server
    /// refused it.
    func tokenForSession() async throws(AccountError) -> String {
        let last = state.withLock { $0.handedOut }
        let token: String
        if let last { token = try await replacement(for: last) } else { token = try await self.token() }
        state.withLock { $0.handedOut = token }
        return token
    }

    func lifetime(of token: String) -> Duration? {
        state.withLock { state in
            guard let session = state.opening?.session, session.accessToken == token else { return nil }
            return session.expiresAt - parts.serverClock.now()
        }
    }

    private func isFresh(_ session: AccountSession) -> Bool {
        session.expiresAt - parts.serverClock.now() >= Self.margin
    }

    private func renewed(_ opening: AccountOpening) async throws(AccountError) -> AccountOpening {
        let task = state.withLock { state in
            if let renewal = state.renewal { return renewal.task }
            state.renewals += 1
            let id = state.renewals
            // Ends with the server's answer. Not cancelled with a caller: others wait for it too, and when the
            // answer to a refresh token is lost, so is the log-in.
            let task = Task { await self.renew(opening, id) }
            state.renewal = (id, task)
            return task
        }
        return try await task.value.get()
    }

    private func renew(_ old: AccountOpening, _ id: Int) async -> Result<AccountOpening, AccountError> {
        defer { state.withLock { if $0.renewal?.id == id { $0.renewal = nil } } }
        do throws(AccountError) {
            let body = AccountRefresh(refreshToken: old.session.refreshToken)
            let new = try await client.post(InlayPath.deviceSessionRefresh, body, AccountOpening.self)
            // Logged out meanwhile, or logged in anew: the answer is nobody's any more.
            guard state.withLock({ $0.opening == old }) else { return .failure(.notLoggedIn) }
            do { try await parts.vault.save(JSONEncoder().encode(new)) } catch {
                return .failure(.storage("the log-in could not be kept"))
            }
            // The same again: while the vault was written, others were let in.
            let isStill = state.withLock { state in
                guard state.opening == old else { return false }
                state.opening = new
                state.handedOut = nil
                return true
            }
            guard isStill else {
                let current = state.withLock { $0.opening }
                try? await parts.vault.save(current.flatMap { try? JSONEncoder().encode($0) })
                return .failure(.notLoggedIn)
            }
            return .success(new)
        } catch .notLoggedIn {
            if state.withLock({ $0.opening == old }) { await forget() }
            return .failure(.notLoggedIn)
        } catch {
            return .failure(error)
        }
    }
}
