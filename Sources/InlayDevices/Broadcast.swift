import InlayCore

/// Hands values to any number of observers.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var observers: [Int: AsyncStream<Element>.Continuation] = [:]
        var nextID = 0
        var isFinished = false
    }

    // An observer that stopped reading keeps the newest only.
    private static var longestBacklog: Int { 256 }
    private let state = Locked(State())

    init() {}

    /// The values from now on, with `first` before them.
    func stream(first: Element? = nil) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(Self.longestBacklog))
        let id: Int? = state.withLock { state in
            if let first { continuation.yield(first) }
            guard !state.isFinished else { return nil }
            state.nextID += 1
            state.observers[state.nextID] = continuation
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.observers.removeValue(forKey: id) }
        }
        return stream
    }

    func send(_ element: Element) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.observers.values.forEach { $0.yield(element) }
        }
    }

    func finish() {
        let observers = state.withLock { state in
            state.isFinished = true
            defer { state.observers = [:] }
            return state.observers
        }
        // Outside the lock: ending a stream calls `onTermination`, which takes it.
        observers.values.forEach { $0.finish() }
    }
}
