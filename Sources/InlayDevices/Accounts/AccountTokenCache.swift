import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// The tokens of the log-in, in memory and in the vault. At most one renewal runs at a time.
final class AccountTokenCache: Sendable {
    private struct State {
        var opening: AccountOpening?
        var renewal: (id: Int, task: Task<Result<AccountOpening, AccountError>, Never>)?
        var renewals = 0
        /// The last token that was returned to the session.
        var lastSessionToken: String?
    }

    /// A token that expires sooner than this is renewed before use.
    static let margin = Duration.seconds(60)

    private let dependencies: DeviceDependencies
    private let client: AccountClient
    private let state = Locked(State())

    init(_ dependencies: DeviceDependencies) {
        self.dependencies = dependencies
        client = AccountClient(dependencies: dependencies)
    }

    var account: DeviceAccount? { state.withLock { $0.opening?.account } }

    /// The session's tokens, which are needed to end it at the server.
    var session: AccountSession? { state.withLock { $0.opening?.session } }

    func restore() async {
        guard let data = try? await dependencies.vault.load(),
            let opening = try? JSONDecoder().decode(AccountOpening.self, from: data)
        else { return }
        state.withLock { $0.opening = opening }
    }

    /// Replaces the log-in. The new one takes effect once it is in the vault.
    func store(_ opening: AccountOpening) async throws(AccountError) {
        // A running renewal belongs to the previous log-in, and must not overwrite this one in the vault.
        _ = await state.withLock { $0.renewal?.task }?.value
        do { try await dependencies.vault.save(JSONEncoder().encode(opening)) } catch {
            throw .storage("the log-in could not be kept")
        }
        state.withLock { state in
            state.opening = opening
            state.lastSessionToken = nil
        }
    }

    /// Removes the log-in. When the vault cannot be written, it is removed only for this run.
    func removeLogIn() async {
        state.withLock { state in
            state.opening = nil
            state.lastSessionToken = nil
        }
        try? await dependencies.vault.save(nil)
    }

    func token() async throws(AccountError) -> String {
        guard let opening = state.withLock({ $0.opening }) else { throw .notLoggedIn }
        if isFresh(opening.session) { return opening.session.accessToken }
        return try await renewed(opening).session.accessToken
    }

    /// Returns another token in place of one that the server refused.
    func replacement(for refused: String) async throws(AccountError) -> String {
        guard let opening = state.withLock({ $0.opening }) else { throw .notLoggedIn }
        guard opening.session.accessToken == refused else { return try await token() }
        return try await renewed(opening).session.accessToken
    }

    /// Returns a token for the session. The session requests another before its token expires only when the server
    /// refused the token; then this renews it.
    func tokenForSession() async throws(AccountError) -> String {
        let last = state.withLock { $0.lastSessionToken }
        let token: String
        if let last { token = try await replacement(for: last) } else { token = try await self.token() }
        state.withLock { $0.lastSessionToken = token }
        return token
    }

    func lifetime(of token: String) -> Duration? {
        state.withLock { state in
            guard let session = state.opening?.session, session.accessToken == token else { return nil }
            return session.expiresAt - dependencies.serverClock.now()
        }
    }

    private func isFresh(_ session: AccountSession) -> Bool {
        session.expiresAt - dependencies.serverClock.now() >= Self.margin
    }

    private func renewed(_ opening: AccountOpening) async throws(AccountError) -> AccountOpening {
        let task = state.withLock { state in
            if let renewal = state.renewal { return renewal.task }
            state.renewals += 1
            let id = state.renewals
            // Ends with the server's response. Not cancelled with a caller, because others wait for it too, and because
            // a lost response to a refresh loses the log-in: the refresh token can be used once.
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
            // After a log-out or another log-in meanwhile, the response is discarded.
            guard state.withLock({ $0.opening == old }) else { return .failure(.notLoggedIn) }
            do { try await dependencies.vault.save(JSONEncoder().encode(new)) } catch {
                return .failure(.storage("the log-in could not be kept"))
            }
            // Checked again: the log-in may have changed while the vault was written.
            let isCurrent = state.withLock { state in
                guard state.opening == old else { return false }
                state.opening = new
                state.lastSessionToken = nil
                return true
            }
            guard isCurrent else {
                let current = state.withLock { $0.opening }
                try? await dependencies.vault.save(current.flatMap { try? JSONEncoder().encode($0) })
                return .failure(.notLoggedIn)
            }
            return .success(new)
        } catch .notLoggedIn {
            if state.withLock({ $0.opening == old }) { await removeLogIn() }
            return .failure(.notLoggedIn)
        } catch {
            return .failure(error)
        }
    }
}
