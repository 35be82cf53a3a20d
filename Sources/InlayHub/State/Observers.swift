import InlayCore

/// Hands values to any number of streams.
final class Observers<Value: Sendable>: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
        var nextID = 0
        var isFinished = false
    }

    private let state = Locked(State())
    private let policy: AsyncStream<Value>.Continuation.BufferingPolicy

    init(_ policy: AsyncStream<Value>.Continuation.BufferingPolicy) { self.policy = policy }

    deinit { finish() }

    /// A stream of what comes from now on; the first value, if any, at once.
    func stream(first: Value? = nil) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
        let id: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            if let first { continuation.yield(first) }
            state.nextID += 1
            state.continuations[state.nextID] = continuation
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.continuations.removeValue(forKey: id) }
        }
        return stream
    }

    func yield(_ value: Value) { state.withLock { $0.continuations.values.forEach { $0.yield(value) } } }

    func finish() {
        let continuations = state.withLock { state in
            state.isFinished = true
            defer { state.continuations = [:] }
            return state.continuations
        }
        // Outside the lock: ending a stream calls `onTermination`, which takes it.
        continuations.values.forEach { $0.finish() }
    }
}
