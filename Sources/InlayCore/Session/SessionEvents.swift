/// A broadcaster of the session's events to any number of observers.
public final class SessionEvents: Sendable {
    private struct State {
        var early: [SessionEvent] = []
        var hadObserver = false
    }

    // An app can only observe after `init` returned; earlier events wait for the first observer.
    private static let maximumEarlyEvents = 64
    // An observer that stopped reading keeps the newest events only.
    private static let maximumBacklog = 1024
    private let state = Locked(State())
    private let observers = Observers<SessionEvent>(.bufferingNewest(maximumBacklog))

    package init() {}

    /// Returns the events from now on; the first observer also gets the first 64 earlier ones. Ends at log-out.
    ///
    /// An observer that does not read keeps its newest 1,024 events.
    public func observe() -> AsyncStream<SessionEvent> {
        // Under the lock, so that no event comes between the early ones and the stream's first own.
        state.withLock { state in
            state.hadObserver = true
            defer { state.early = [] }
            return observers.stream(after: state.early)
        }
    }

    /// Sends an event to every observer.
    package func publish(_ event: SessionEvent) {
        state.withLock { state in
            if !state.hadObserver, state.early.count < Self.maximumEarlyEvents { state.early.append(event) }
            observers.yield(event)
        }
    }

    /// Ends every observer's stream; later observers get an ended one.
    package func finish() {
        state.withLock { $0 = State(early: [], hadObserver: true) }
        observers.finish()
    }
}
