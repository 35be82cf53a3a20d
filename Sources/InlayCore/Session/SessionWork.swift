/// The owner of every task that the session runs in the background, so that log-out can end them.
package final class SessionWork: Sendable {
    private struct State {
        var cancels: [Int: @Sendable () -> Void] = [:]
        var preparations: [Task<Void, Never>] = []
        var nextID = 0
        var running = 0
        var isEnded = false
    }

    private let state = Locked(State())

    package init() {}

    /// Starts a task that ends by itself, through the returned handle, or with the session.
    @discardableResult
    package func start<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value
    ) -> Task<Value, Never> {
        let (task, isEnded) = state.withLock { state in
            state.nextID += 1
            state.running += 1
            let id = state.nextID
            // Ends when `body` returns; `end()` and the caller cancel it. The task removes its entry under the lock
            // that is held here, hence never before the entry is made.
            let task = Task { [weak self] in
                let value = await body()
                self?.state.withLock { state in
                    state.running -= 1
                    state.cancels[id] = nil
                }
                return value
            }
            if !state.isEnded { state.cancels[id] = { task.cancel() } }
            return (task, state.isEnded)
        }
        // Outside the lock: what runs at the cancellation may start work itself, and would wait for the
        // lock for ever.
        if isEnded { task.cancel() }
        return task
    }

    /// Starts a short task that log-out waits for, such as adding a lane to the outbox.
    @discardableResult
    package func prepare(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let task = start(body)
        state.withLock { $0.preparations.append(task) }
        return task
    }

    /// Returns when all tasks that `prepare` started so far have ended.
    func prepared() async {
        for task in state.withLock({ $0.preparations }) { await task.value }
    }

    /// Whether `end()` was called; true before the first task is cancelled.
    package var isEnded: Bool { state.withLock { $0.isEnded } }

    /// The number of tasks that have not ended yet, for tests.
    package var running: Int { state.withLock { $0.running } }

    /// Cancels all tasks, and those that start later.
    package func end() {
        let cancels = state.withLock { state in
            state.isEnded = true
            defer { state.cancels = [:] }
            return state.cancels
        }
        cancels.values.forEach { $0() }
    }
}
