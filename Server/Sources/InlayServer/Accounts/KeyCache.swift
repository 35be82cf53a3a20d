import InlayWire
import NIOConcurrencyHelpers

/// The keys that requests came with lately, so that a request costs no query.
///
/// An entry lives at most a minute even when the news of its end is lost. What was read before a key
/// changed is not kept after it: the reader names the generation it began in.
final class KeyCache: Sendable {
    /// A key by its environment, so that one environment's key never answers for another.
    struct Name: Hashable, Sendable {
        let environmentID: String
        let keyID: String
    }

    private enum Kept: Sendable {
        case keys(VerificationKeys)
        case hash(String)
    }

    private struct State {
        var generation = 0
        var entries: [Name: (kept: Kept, until: Timestamp)] = [:]
    }

    private static let life: Duration = .seconds(60)
    private static let most = 10_000
    private let state = NIOLockedValueBox(State())

    /// Grows with every ``forget(_:)``.
    var generation: Int { state.withLockedValue(\.generation) }

    func keys(_ name: Name, at moment: Timestamp) -> VerificationKeys? {
        guard case .keys(let keys) = kept(name, moment) else { return nil }
        return keys
    }

    func hash(_ name: Name, at moment: Timestamp) -> String? {
        guard case .hash(let hash) = kept(name, moment) else { return nil }
        return hash
    }

    func keep(_ keys: VerificationKeys, _ name: Name, at moment: Timestamp, ifStill generation: Int) {
        keep(.keys(keys), name, moment, generation)
    }

    func keep(hash: String, _ name: Name, at moment: Timestamp, ifStill generation: Int) {
        keep(.hash(hash), name, moment, generation)
    }

    /// Forgets an environment's keys, or all of them.
    func forget(_ environmentID: String?) {
        state.withLockedValue { state in
            state.generation += 1
            guard let environmentID else { return state.entries.removeAll() }
            state.entries = state.entries.filter { $0.key.environmentID != environmentID }
        }
    }

    private func kept(_ name: Name, _ moment: Timestamp) -> Kept? {
        state.withLockedValue { state in
            guard let entry = state.entries[name], moment < entry.until else { return nil }
            return entry.kept
        }
    }

    private func keep(_ kept: Kept, _ name: Name, _ moment: Timestamp, _ generation: Int) {
        state.withLockedValue { state in
            guard state.generation == generation else { return }
            if state.entries.count >= Self.most { state.entries.removeAll() }
            state.entries[name] = (kept, moment + Self.life)
        }
    }
}
