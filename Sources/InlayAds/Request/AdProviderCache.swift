import InlayCore

/// The last answer of a provider that may be slow: asked in the background, read at once.
final class AdProviderCache<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var isAsking = false
    }

    private let state = Locked(State())
    private let work: SessionWork
    private let ask: @Sendable () async throws -> Value?

    init(_ work: SessionWork, _ ask: @escaping @Sendable () async throws -> Value?) {
        self.work = work
        self.ask = ask
    }

    /// The last value; `nil` before the first answer, and after one that failed or was empty.
    var value: Value? { state.withLock { $0.value } }

    /// Asks again, unless a question is open.
    func refresh() {
        let isFirst = state.withLock { state in
            defer { state.isAsking = true }
            return !state.isAsking
        }
        guard isFirst else { return }
        // Ends with the answer; log-out cancels it.
        work.start { [self] in
            let answer = try? await ask()
            state.withLock { $0 = State(value: answer, isAsking: false) }
        }
    }
}
