import InlayWire
import NIOConcurrencyHelpers

/// Access tokens seen lately, by their hash, so that a request costs no query.
///
/// An entry lives at most a minute, even when the news that its client was revoked is lost.
final class OAuthTokenCache: Sendable {
    private struct State {
        var generation = 0
        var entries: [String: (identity: OAuthIdentity, until: Timestamp)] = [:]
    }

    private static let life: Duration = .seconds(60)
    private static let most = 20_000
    private let state = NIOLockedValueBox(State())

    /// Grows with every ``forget(_:)``; what was read before is not kept after it.
    var generation: Int { state.withLockedValue(\.generation) }

    func identity(_ hash: String, at moment: Timestamp) -> OAuthIdentity? {
        state.withLockedValue { state in
            guard let entry = state.entries[hash], moment < entry.until else { return nil }
            return entry.identity
        }
    }

    func keep(_ identity: OAuthIdentity, _ hash: String, at moment: Timestamp, ifStill generation: Int) {
        state.withLockedValue { state in
            guard state.generation == generation else { return }
            if state.entries.count >= Self.most { state.entries.removeAll() }
            state.entries[hash] = (identity, min(identity.expiresAt, moment + Self.life))
        }
    }

    /// Forgets an environment's tokens, or all of them.
    func forget(_ environmentID: String?) {
        state.withLockedValue { state in
            state.generation += 1
            guard let environmentID else { return state.entries.removeAll() }
            state.entries = state.entries.filter { $0.value.identity.environmentID != environmentID }
        }
    }
}
