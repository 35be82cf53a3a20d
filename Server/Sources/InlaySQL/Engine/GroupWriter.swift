/// A queue of write bodies that commits the waiting ones together.
///
/// A commit waits for the disk; a group waits once. One group runs at a time, so bodies keep the order of their
/// calls. PostgreSQL has a writer for each lane, so that a locked table delays only the lane that writes to it. With
/// SQLite all lanes that share commits have one writer, and each other lane has its own; they take turns on the one
/// thread that writes.
final class GroupWriter: Sendable {
    /// Runs the closure on the engine's writer thread, after earlier ones; returns false when the engine is closed and
    /// the closure will never run.
    typealias Schedule = @Sendable (@escaping @Sendable (any TransactionConnection) -> Void) -> Bool

    private struct State {
        var waiting: [any WriteJob] = []
        var isDraining = false
        var isClosed = false
    }

    private static let maximumWaiting = 10_000

    private let state = Locked(State())
    private let maximumGroupSize: Int
    private let schedule: Schedule

    /// Makes a writer whose groups have at most `maximumGroupSize` bodies: enough to share a commit, few enough that
    /// the first does not wait long for the last.
    init(maximumGroupSize: Int = 512, schedule: @escaping Schedule) {
        self.maximumGroupSize = maximumGroupSize
        self.schedule = schedule
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { caller in
            add(WriteBody(body, caller: caller))
        }
    }

    /// Appends a job to the queue.
    func add(_ job: any WriteJob) {
        let outcome: Result<Bool, SQLError> = state.withLock { state in
            if state.isClosed { return .failure(.closed) }
            guard state.waiting.count < Self.maximumWaiting else {
                return .failure(
                    SQLError(.overloaded, "\(Self.maximumWaiting) writes are waiting; try again later."))
            }
            state.waiting.append(job)
            defer { state.isDraining = true }
            return .success(!state.isDraining)
        }
        switch outcome {
        case .failure(let error): refuse([job], error)
        case .success(let isFirst):
            guard isFirst, !schedule({ [self] in drain($0) }) else { return }
            // The engine was closed after the check above, so nothing else would resume these callers.
            while let group = nextGroup() { refuse(group, .closed) }
        }
    }

    /// The number of bodies that wait for the next group.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Refuses the bodies that have waited for longer than a limit, from their arrival on.
    func refuseWaiting(longerThan limit: Duration) {
        let start = ContinuousClock.now - limit
        let late = state.withLock { state in
            let late = Array(state.waiting.prefix { $0.arrival < start })
            state.waiting.removeFirst(late.count)
            return late
        }
        refuse(late, SQLError(.overloaded, "The writer was held up for \(limit); try again later."))
    }

    /// Refuses new bodies; those in the queue are still written.
    func close() { state.withLock { $0.isClosed = true } }

    private func refuse(_ jobs: [any WriteJob], _ error: SQLError) {
        for job in jobs {
            job.fail(error)
            job.resumeCaller()
        }
    }

    private func drain(_ connection: any TransactionConnection) {
        while let group = nextGroup() {
            WriteGroup(jobs: group).commit(on: connection)
            // Scheduling the next group lets other writers of the thread have a turn. When the engine is closed,
            // scheduling fails and this loop finishes the queue.
            if waitingCount > 0, schedule({ [self] in drain($0) }) { return }
        }
    }

    private func nextGroup() -> [any WriteJob]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isDraining = false
                return nil
            }
            let group = Array(state.waiting.prefix(maximumGroupSize))
            state.waiting.removeFirst(group.count)
            return group
        }
    }
}

/// An engine whose writes go through a ``GroupWriter``; tests use it to fill the queue.
protocol GroupCommitting {
    var writer: GroupWriter { get }
}
