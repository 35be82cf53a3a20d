/// Hands the session's events to any number of observers.
public final class SessionEvents: Sendable {
    private struct State {
        var observers: [Int: AsyncStream<SessionEvent>.Continuation] = [:]
        var nextID = 0
        var early: [SessionEvent] = []
        var hadObserver = false
        var isFinished = false
    }

    // An app can only observe after `init` returned; what happened during it waits for the first one.
    private static let longestEarly = 64
    // An observer that stopped reading keeps the newest events only.
    private static let longestBacklog = 1024
    private let state = Locked(State())

    package init() {}

    /// The events from now on; the first observer also gets those from before it. Ends at log-out.
    ///
    /// An observer that does not read keeps its newest 1,024 events.
    public func observe() -> AsyncStream<SessionEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SessionEvent.self, bufferingPolicy: .bufferingNewest(Self.longestBacklog))
        let id: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.early.forEach { continuation.yield($0) }
            state.early = []
            state.hadObserver = true
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

    /// Tells every observer.
    package func publish(_ event: SessionEvent) {
        state.withLock { state in
            guard !state.isFinished else { return }
            if !state.hadObserver, state.early.count < Self.longestEarly { state.early.append(event) }
            state.observers.values.forEach { $0.yield(event) }
        }
    }

    /// Ends every observer's stream; later observers get an ended one.
    package func finish() {
        let observers = state.withLock { state in
            state.isFinished = true
            state.early = []
            defer { state.observers = [:] }
            return state.observers
        }
        // Outside the lock: ending a stream calls `onTermination`, which takes it.
        observers.values.forEach { $0.finish() }
    }
}
