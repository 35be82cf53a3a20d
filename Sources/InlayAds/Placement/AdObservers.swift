import InlayCore

/// Hands events to any number of streams, each of which gets all of them.
final class AdObservers: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<AdEvent>.Continuation] = [:]
        var nextID = 0
        var isFinished = false
    }

    // An observer that stopped reading keeps the newest only.
    private static let longestBacklog = 256
    private let state = Locked(State())

    deinit { finish() }

    func stream() -> AsyncStream<AdEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AdEvent.self, bufferingPolicy: .bufferingNewest(Self.longestBacklog))
        let id: Int? = state.withLock { state in
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

    func yield(_ event: AdEvent) {
        state.withLock { $0.continuations.values.forEach { $0.yield(event) } }
    }

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
