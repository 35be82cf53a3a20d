import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Logging
import Metrics

@testable import InlayServerCore
@testable import InlayServerTesting

/// A queue on an empty database, with a clock that stands still until a test moves it.
struct JobFixture: Sendable {
    static let start = Timestamp(seconds: 1_800_000_000)

    let database: any SQLDatabase
    let time: TestClock
    let queue: JobQueue

    static func with<R>(_ engine: SQLEngine, _ body: (JobFixture) async throws -> R) async throws -> R {
        try await with(engine, nodes: 1) { try await body($0[0]) }
    }

    /// Runs the body with several nodes on one database, with one clock.
    static func with<R>(
        _ engine: SQLEngine, nodes: Int, _ body: ([JobFixture]) async throws -> R
    ) async throws -> R {
        let migrations =
            JobsSchema.migrations
            + [
                SQLMigration(
                    feature: "test", name: "0001",
                    sql: "CREATE TABLE results (key TEXT NOT NULL, result TEXT NOT NULL)")
            ]
        return try await Nodes.with(nodes, engine, migrations: migrations) { databases in
            let time = TestClock(start)
            return try await body(
                databases.map {
                    JobFixture(
                        database: $0, time: time, queue: JobQueue(database: $0, now: { time.now }))
                })
        }
    }

    func runner(
        _ handlers: any JobHandler..., chance: Double = 0, logger: Logger = .quiet,
        maximumPause: Duration = .seconds(1)
    ) -> JobRunner {
        JobRunner(
            queue, handlers, logger: logger, metrics: NOOPMetricsHandler.instance,
            maximumPause: maximumPause, chance: { chance })
    }

    var expiry: JobExpiry { JobExpiry(queue: queue, logger: .quiet) }

    func enqueue(_ jobs: NewJob...) async throws {
        try await database.write { try JobQueue.enqueue(jobs, in: $0) }
    }

    /// A job of the kind `test`, due now or later.
    func job(
        _ key: String, lane: String = "lane", in delay: Duration = .zero, expires: Duration? = nil,
        payload: String = ""
    ) -> NewJob {
        NewJob(
            "test", key: key, in: "env", lane: lane, at: time.now + delay,
            expiresAt: expires.map { time.now + $0 }, payload: payload)
    }

    /// Lets the job `a` of the kind `test` and the job `b` of the kind `other` expire; returns the kinds' handlers.
    func expireJobsOfTwoKinds() async throws -> [TestJobs] {
        var others = TestJobs()
        others.kind = "other"
        try await enqueue(
            job("a", expires: .zero),
            NewJob(others.kind, key: "b", in: "env", at: time.now, expiresAt: time.now))
        time.advance(by: .milliseconds(1))
        return [TestJobs(), others]
    }

    func queuedKeys() async throws -> [String] {
        try await database.read {
            try $0.rows("SELECT key FROM jobs ORDER BY key").map { try $0.text("key") }
        }
    }

    /// Returns what handlers recorded, as `key result`.
    func recordedResults() async throws -> [String] {
        try await database.read {
            try $0.rows("SELECT key, result FROM results ORDER BY key, result").map {
                "\(try $0.text("key")) \(try $0.text("result"))"
            }
        }
    }
}

/// A handler of the kind `test` that runs a test's body for each job, and records results in the table `results`.
struct TestJobs: JobHandler {
    /// The key of a job whose results cannot be recorded.
    static let unrecordable = "unrecordable"

    var kind: JobKind = "test"
    var areKeysLogged = true
    var limits = JobLimits(
        maximumRunning: 100, batchSize: 10, lease: .seconds(30),
        retry: .doubling(from: .seconds(4), to: .seconds(60)))
    var keepsGivenUp = true
    /// Whether a job that was given up is run again when an operator asks for it.
    var isUseful = true
    var ran = SharedValue<[String]>([])
    var body: @Sendable (Job) async throws -> JobOutcome = { _ in .done }

    func run(_ batch: JobBatch) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for job in batch.jobs {
                ran.change { $0.append(job.key) }
                group.addTask {
                    do {
                        await batch.finish(job, try await body(job))
                    } catch let failure as JobFailure where batch.jobs.count > 1 {
                        await batch.finish(
                            job,
                            failure.isFinal ? .giveUp(failure.description) : .retry(failure.description))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    func keepsGivenUp(_ job: Job) -> Bool { keepsGivenUp }

    func requeued(_ job: GivenUpJob, at moment: Timestamp, in connection: any SQLConnection) throws -> NewJob?
    {
        guard isUseful else { return nil }
        return NewJob(
            kind, key: job.id.key, in: job.id.environmentID, lane: job.lane, at: moment, payload: job.payload)
    }

    func record(_ result: JobResult, of job: Job, in connection: any SQLConnection) throws {
        let text =
            switch result {
            case .done(let note): "done\(note)"
            case .again: "again"
            case .retry(_, let error): "retry \(error)"
            case .failed(let error): "failed \(error ?? "")"
            case .released: "released"
            }
        if text == "doneunrecordable" || job.key == Self.unrecordable {
            throw TestFailure("It cannot be recorded.")
        }
        try connection.execute(
            "INSERT INTO results (key, result) VALUES (?, ?)", [.text(job.key), .text(text)])
    }
}
