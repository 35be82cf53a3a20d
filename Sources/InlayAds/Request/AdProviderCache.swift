import InlayCore

/// A cache for the last value of a slow provider, which is refreshed in the background and read without waiting.
final class AdProviderCache<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var isRefreshing = false
    }

    private let state = Locked(State())
    private let work: SessionWork
    private let load: @Sendable () async throws -> Value?

    init(_ work: SessionWork, _ load: @escaping @Sendable () async throws -> Value?) {
        self.work = work
        self.load = load
    }

    /// The last value; `nil` before the first refresh has ended, and after one that failed or returned no value.
    var value: Value? { state.withLock { $0.value } }

    /// Loads the value again, unless that is already in progress.
    func refresh() {
        let isFirst = state.withLock { state in
            defer { state.isRefreshing = true }
            return !state.isRefreshing
        }
        guard isFirst else { return }
        // Ends when the provider has returned; log-out cancels it.
        work.start { [self] in
            let value = try? await load()
            state.withLock { $0 = State(value: value, isRefreshing: false) }
        }
    }
}
