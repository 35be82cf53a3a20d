/// A broadcaster of values to any number of streams.
package final class Observers<Value: Sendable>: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
        var nextID = 0
        var isFinished = false
    }

    private let state = Locked(State())
    // Held while a value is sent, so that every stream gets the values in the same order.
    private let order = Locked(())
    private let policy: AsyncStream<Value>.Continuation.BufferingPolicy

    /// Creates a broadcaster whose streams buffer unread values by this policy.
    package init(_ policy: AsyncStream<Value>.Continuation.BufferingPolicy) { self.policy = policy }

    deinit { finish() }

    /// Returns a stream of `first` and the values from now on; after `finish`, the stream has ended.
    package func stream(first: Value? = nil) -> AsyncStream<Value> {
        stream(after: first.map { [$0] } ?? [])
    }

    /// Returns a stream of these values and the values from now on.
    package func stream(after first: [Value]) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
        let id: Int? = state.withLock { state in
            first.forEach { continuation.yield($0) }
            guard !state.isFinished else { return nil }
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

    /// Sends a value to every stream.
    package func yield(_ value: Value) {
        order.withLock { _ in
            // Outside of the state's lock: a value wakes a task, and a task that is being cancelled at this moment
            // waits for that lock in `onTermination` and lets nobody wake it meanwhile.
            let continuations = state.withLock { $0.continuations }
            continuations.values.forEach { $0.yield(value) }
        }
    }

    /// Ends every stream, including those that are created later.
    package func finish() {
        let continuations = state.withLock { state in
            state.isFinished = true
            defer { state.continuations = [:] }
            return state.continuations
        }
        // Outside the lock: ending a stream calls `onTermination`, which takes it.
        continuations.values.forEach { $0.finish() }
    }
}
