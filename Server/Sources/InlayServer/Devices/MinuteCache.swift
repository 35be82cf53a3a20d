import InlayWire
import NIOConcurrencyHelpers

/// What every request asks for again, kept for a minute at most, even when the news of its end is lost.
///
/// What was read before something changed is not kept after it: the reader names the generation it began in.
final class MinuteCache<Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let environmentID: String
        let until: Timestamp
    }

    private struct State {
        var generation = 0
        var entries: [String: Entry] = [:]
    }

    private static var life: Duration { .seconds(60) }
    private static var most: Int { 20_000 }
    private let state = NIOLockedValueBox(State())

    /// Grows with every ``forget(_:)``.
    var generation: Int { state.withLockedValue(\.generation) }

    func value(_ name: String, at moment: Timestamp) -> Value? {
        state.withLockedValue { state in
            guard let entry = state.entries[name], moment < entry.until else { return nil }
            return entry.value
        }
    }

    /// Keeps a value until a minute has passed, or `end` if that comes first.
    func keep(
        _ value: Value, _ name: String, of environmentID: String, at moment: Timestamp,
        until end: Timestamp = Timestamp(microseconds: .max), ifStill generation: Int
    ) {
        state.withLockedValue { state in
            guard state.generation == generation else { return }
            if state.entries.count >= Self.most { state.entries.removeAll() }
            state.entries[name] = Entry(
                value: value, environmentID: environmentID, until: min(end, moment + Self.life))
        }
    }

    /// Forgets an environment's values, or all of them.
    func forget(_ environmentID: String?) {
        state.withLockedValue { state in
            state.generation += 1
            guard let environmentID else { return state.entries.removeAll() }
            state.entries = state.entries.filter { $0.value.environmentID != environmentID }
        }
    }
}
