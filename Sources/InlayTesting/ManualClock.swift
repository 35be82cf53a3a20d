public import InlayCore
@_spi(Inlay) public import InlayWire

/// A clock whose time only a test changes.
public final class ManualClock: SessionClock {
    private struct Sleeper {
        let wakeAt: Timestamp
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Timestamp
        var sleepers: [Int: Sleeper] = [:]
        var nextID = 0
    }

    private let state: Locked<State>
    private let signal = ConditionSignal()

    /// Creates a clock; by default its time is in 2033.
    public init(at start: Timestamp = Timestamp(seconds: 2_000_000_000)) {
        state = Locked(State(now: start))
    }

    public func now() -> Timestamp { state.withLock { $0.now } }

    public func sleep(for duration: Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enter($0, id, duration) }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?
                .continuation.resume(throwing: CancellationError())
            signal.changed()
        }
    }

    /// Advances the clock, and resumes the sleeping tasks whose time has come, in the order of their times.
    ///
    /// A resumed task runs after the whole step, and so begins its next sleep at the new time: call `untilSleeping`
    /// between two steps of a periodic job.
    public func advance(by duration: Duration) {
        // In one step: a task that ran while the clock advances would sleep an unpredictable number of times.
        let woken = state.withLock { state in
            state.now = max(state.now, state.now + duration)
            let now = state.now
            let due = state.sleepers.filter { $0.value.wakeAt <= now }
            due.keys.forEach { state.sleepers[$0] = nil }
            return due.sorted { ($0.value.wakeAt, $0.key) < ($1.value.wakeAt, $1.key) }.map(\.value)
        }
        woken.forEach { $0.continuation.resume() }
        signal.changed()
    }

    /// Sets the clock and resumes no task, as when a user corrects the time.
    public func set(to moment: Timestamp) { state.withLock { $0.now = moment } }

    /// The wake-up times of the tasks that sleep on this clock, earliest first.
    public var sleepers: [Timestamp] { state.withLock { $0.sleepers.values.map(\.wakeAt).sorted() } }

    /// Waits until at least this many tasks sleep.
    public func untilSleeping(_ count: Int = 1, within limit: Duration = WaitTimedOut.limit) async throws {
        try await signal.until(within: limit, "\(count) sleepers") { self.sleepers.count >= count }
    }

    /// Waits until a task sleeps for exactly this duration from now.
    public func untilSleeping(for duration: Duration, within limit: Duration = WaitTimedOut.limit)
        async throws
    {
        try await signal.until(within: limit, "a sleep of \(duration), not \(sleepers)") {
            self.sleepers.contains(self.now() + duration)
        }
    }

    /// Advances the clock by one sleep of this duration after another until the condition holds.
    ///
    /// Other tasks may sleep for the same duration, so the number of steps says nothing about one task.
    public func advance(by interval: Duration, until condition: @Sendable () -> Bool) async throws {
        try await eventually {
            if condition() { return true }
            if sleepers.contains(now() + interval) { advance(by: interval) }
            return false
        }
    }

    private func enter(_ continuation: CheckedContinuation<Void, any Error>, _ id: Int, _ duration: Duration)
    {
        let isCancelled = Task.isCancelled
        let isOver = state.withLock { state in
            guard duration > .zero, !isCancelled else { return true }
            state.sleepers[id] = Sleeper(wakeAt: state.now + duration, continuation: continuation)
            return false
        }
        if isOver {
            if isCancelled {
                continuation.resume(throwing: CancellationError())
            } else {
                continuation.resume()
            }
        }
        signal.changed()
        // When the task was cancelled after the first check, the cancellation handler may have run before the entry
        // existed.
        if !isOver, Task.isCancelled {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?
                .continuation.resume(throwing: CancellationError())
        }
    }
}
