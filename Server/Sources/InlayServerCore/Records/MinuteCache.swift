@_spi(Inlay) package import InlayWire
import NIOConcurrencyHelpers

/// A cache of values that every request needs, for a minute at most, even when the notification of a change is lost.
///
/// A value that was read before a change is not kept after it: the reader passes the generation in which it began.
package final class MinuteCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let environmentID: EnvironmentID
        let until: Timestamp
    }

    private struct State {
        var generation = 0
        var entries: [Key: Entry] = [:]
    }

    private static var lifetime: Duration { .seconds(60) }
    private let maximumEntries: Int
    private let state = NIOLockedValueBox(State())

    /// Creates an empty cache. It is emptied when it is full, so that its memory is limited.
    package init(maximumEntries: Int = 20_000) { self.maximumEntries = maximumEntries }

    /// Grows with every ``forget(_:)``.
    package var generation: Int { state.withLockedValue(\.generation) }

    package func value(_ key: Key, at moment: Timestamp) -> Value? {
        state.withLockedValue { state in
            guard let entry = state.entries[key], moment < entry.until else { return nil }
            return entry.value
        }
    }

    /// Keeps a value until a minute has passed, or `end` if that comes first.
    package func keep(
        _ value: Value, _ key: Key, of environmentID: EnvironmentID, at moment: Timestamp,
        until end: Timestamp = Timestamp(microseconds: .max), ifStill generation: Int
    ) {
        state.withLockedValue { state in
            guard state.generation == generation else { return }
            if state.entries.count >= maximumEntries { state.entries.removeAll() }
            state.entries[key] = Entry(
                value: value, environmentID: environmentID, until: min(end, moment + Self.lifetime))
        }
    }

    /// Forgets an environment's values, or all of them for `nil`.
    package func forget(_ environmentID: EnvironmentID?) {
        state.withLockedValue { state in
            state.generation += 1
            guard let environmentID else { return state.entries.removeAll() }
            state.entries = state.entries.filter { $0.value.environmentID != environmentID }
        }
    }
}
