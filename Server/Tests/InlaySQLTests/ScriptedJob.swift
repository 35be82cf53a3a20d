import InlaySQLTesting
import Testing

@testable import InlaySQL

/// A job that a test gives to the group writer; it records its runs and its error.
final class ScriptedJob: WriteJob, @unchecked Sendable {
    // Unchecked: the writer's thread alone touches it until `onEnd` has handed it to the test.
    private let body: (any SQLConnection) throws -> Void
    private let onEnd: @Sendable (ScriptedJob) -> Void
    private(set) var runs = 0
    private(set) var error: (any Error)?
    let name: String
    let arrival: ContinuousClock.Instant

    init(
        _ name: String, arrival: ContinuousClock.Instant = .now,
        onEnd: @escaping @Sendable (ScriptedJob) -> Void,
        body: @escaping (any SQLConnection) throws -> Void
    ) {
        self.name = name
        self.arrival = arrival
        self.onEnd = onEnd
        self.body = body
    }

    var kind: SQLError.Kind? { (error as? SQLError)?.kind }

    func run(on connection: any SQLConnection) throws {
        runs += 1
        error = nil
        try BodyConnection.run(body, on: connection)
    }

    func fail(_ error: any Error) { self.error = error }
    func resumeCaller() { onEnd(self) }
}

/// Jobs that are certain to share one group: the writer is blocked while they are added.
struct HeldGroup {
    private let writer: GroupWriter
    private let release = BlockingLatch()
    private let answers: AsyncStream<ScriptedJob>
    private let answer: AsyncStream<ScriptedJob>.Continuation
    private var count = 0

    init(_ database: any SQLDatabase) throws {
        guard let engine = database as? any GroupCommitting else { throw WaitError.ended }
        try self.init(engine.writer)
    }

    init(_ writer: GroupWriter) throws {
        self.writer = writer
        (answers, answer) = AsyncStream.makeStream()
        // A group takes all jobs that wait; while a body runs, the next group does not start.
        let (release, started) = (release, BlockingLatch())
        let record: @Sendable (ScriptedJob) -> Void = { job in
            if let error = job.error { Issue.record(error) }
        }
        writer.add(
            ScriptedJob("hold", onEnd: record) { _ in
                started.open()
                try release.wait()
            })
        try started.wait()
    }

    mutating func add(_ name: String, body: @escaping (any SQLConnection) throws -> Void) {
        count += 1
        writer.add(ScriptedJob(name, onEnd: { [answer] in answer.yield($0) }, body: body))
    }

    /// Lets the group run, and returns its jobs in the order in which they ended.
    func run() async throws -> [ScriptedJob] {
        release.open()
        let (answers, count) = (answers, count)
        return try await within(.seconds(60)) {
            var jobs: [ScriptedJob] = []
            for await job in answers {
                jobs.append(job)
                if jobs.count == count { break }
            }
            return jobs
        }
    }
}

/// A connection to no database that records its transactions, some of which begin with a conflict.
final class ScriptedConnection: TransactionConnection, @unchecked Sendable {
    // Unchecked: one thread uses the connection; closures on other threads reach only `noted`.
    private let conflicts: Set<Int>
    private let noted = Locked<[String]>([])
    /// The deadlines of transactions and savepoints, in their order.
    private(set) var deadlines: [ContinuousClock.Instant] = []
    private var begun = 0
    private(set) var isInTransaction = false
    let writerNumber: Int64 = 0

    /// `conflicts` are the numbers of the transactions, 1 for the first.
    init(conflicts: Set<Int>) { self.conflicts = conflicts }

    var events: [String] { noted.withLock { $0 } }

    func note(_ event: String) { noted.withLock { $0.append(event) } }

    func begin(until deadline: ContinuousClock.Instant) throws {
        deadlines.append(deadline)
        begun += 1
        note("begin \(begun)")
        if conflicts.contains(begun) { throw SQLError(.conflict, "Another transaction writes.") }
        isInTransaction = true
    }

    func beginExclusive() throws { try begin(until: .now) }

    func commit() throws {
        note("commit")
        isInTransaction = false
    }

    func rollback() {
        note("rollback")
        isInTransaction = false
    }

    func savepoint(until deadline: ContinuousClock.Instant) throws { deadlines.append(deadline) }
    func releaseSavepoint() throws {}
    func rollbackToSavepoint() throws {}
    func executeScript(_ sql: String) throws {}
    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int { 0 }
    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] { [] }
}
