/// Collects the bodies that wait at the same time and commits them together.
///
/// One commit costs a write to the disk that is waited for; a group pays it once. One group is under way at a
/// time, so bodies keep the order of their calls. PostgreSQL has one such writer for each lane, so that a table that
/// is locked holds up the lane that writes to it and no other. With SQLite all lanes that share commits have one
/// writer, and those that do not have theirs; they take turns on the one thread that writes.
final class GroupWriter: Sendable {
    /// Runs the closure on the engine's writer thread, after what was scheduled before; false when the
    /// engine has been closed and never will.
    typealias Schedule = @Sendable (@escaping @Sendable (any TransactionConnection) -> Void) -> Bool

    private struct Waiting {
        let job: any WriteJob
        let since = ContinuousClock.now
    }

    private struct State {
        var waiting: [Waiting] = []
        var isDraining = false
        var isClosed = false
    }

    private static let waitingLimit = 10_000

    private let state = Guarded(State())
    private let groupLimit: Int
    private let schedule: Schedule

    /// A writer whose groups hold at most so many bodies: enough to share one commit, few enough that
    /// the first does not wait long for the last.
    init(groupLimit: Int = 512, schedule: @escaping Schedule) {
        self.groupLimit = groupLimit
        self.schedule = schedule
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { caller in
            add(WriteBody(body, caller: caller))
        }
    }

    /// Takes a job into the queue; its place there is its place in the order.
    func add(_ job: any WriteJob) {
        let outcome: Result<Bool, SQLError> = state.withLock { state in
            if state.isClosed { return .failure(.closed) }
            guard state.waiting.count < Self.waitingLimit else {
                return .failure(
                    SQLError(.overloaded, "\(Self.waitingLimit) writes are waiting; try again later."))
            }
            state.waiting.append(Waiting(job: job))
            defer { state.isDraining = true }
            return .success(!state.isDraining)
        }
        switch outcome {
        case .failure(let error): refuse([job], error)
        case .success(let isFirst):
            guard isFirst, !schedule({ [self] in drain($0) }) else { return }
            // Closed between the check above and the hand-over: nobody else would ever answer these.
            while let group = nextGroup() { refuse(group, .closed) }
        }
    }

    /// How many bodies wait for the next group.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Refuses the bodies that have waited for longer than a limit.
    func refuseWaiting(longerThan limit: Duration) {
        let start = ContinuousClock.now - limit
        let late = state.withLock { state in
            let late = state.waiting.prefix { $0.since < start }.map(\.job)
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
            job.answer()
        }
    }

    private func drain(_ connection: any TransactionConnection) {
        while let group = nextGroup() {
            WriteGroup(jobs: group).commit(on: connection)
            // Another writer of the same thread has its turn between two groups. After the end nobody else would
            // finish what was handed in.
            if waitingCount > 0, schedule({ [self] in drain($0) }) { return }
        }
    }

    private func nextGroup() -> [any WriteJob]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isDraining = false
                return nil
            }
            let group = state.waiting.prefix(groupLimit).map(\.job)
            state.waiting.removeFirst(group.count)
            return group
        }
    }
}

/// An engine whose writes go through a ``GroupWriter``, which tests fill by hand.
protocol GroupCommitting {
    var writer: GroupWriter { get }
}
