import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// Jobs that were given up: which are kept, for how long, and how they run again.
@Suite(.timeLimit(.minutes(3))) struct GivenUpJobTests {
    /// Returns a handler that gives up every job in its first run.
    private func failing() -> TestJobs {
        var jobs = TestJobs()
        jobs.body = { job in .giveUp("No use: \(job.key)") }
        return jobs
    }

    private func reasons(_ fixture: JobFixture, _ environmentID: EnvironmentID = "env") async throws
        -> [String]
    {
        try await fixture.queue.givenUp(environmentID, limit: 1_000).map { "\($0.id.key): \($0.error)" }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job that was given up is kept with its reason, the newest first, and no other job is`(
        _ engine: SQLEngine
    ) async throws {
        try await JobFixture.with(engine) { fixture in
            var jobs = TestJobs()
            jobs.limits.retry = .doubling(from: .seconds(1), to: .seconds(1), maximumAttempts: 2)
            jobs.body = { job in
                switch job.key {
                case "final": .giveUp("Final")
                case "failing": .retry("Attempt \(job.attempts)")
                default: .done
                }
            }
            try await fixture.enqueue(fixture.job("done"), fixture.job("final"), fixture.job("failing"))
            try await fixture.runner(jobs).runDue()
            #expect(try await reasons(fixture) == ["final: Final"])
            fixture.time.advance(by: .seconds(1))
            try await fixture.runner(jobs).runDue()
            #expect(try await reasons(fixture) == ["failing: Attempt 2", "final: Final"])
            let newest = try #require(try await fixture.queue.givenUp("env", limit: 1).first)
            #expect(newest.attempts == 2 && newest.givenUpAt == fixture.time.now && newest.lane == "lane")
            #expect(try await fixture.queue.givenUpCount("env") == 2)
            #expect(try await reasons(fixture, "other").isEmpty)
            #expect(try await fixture.queue.givenUpCounts() == ["test": 2])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an error of a few characters with many combining marks is stored cut`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            let error = "e" + String(repeating: "\u{301}", count: 1_000)
            var jobs = TestJobs()
            jobs.body = { job in job.key == "final" ? .giveUp(error) : .retry(error) }
            try await fixture.enqueue(fixture.job("final"), fixture.job("failing"))
            try await fixture.runner(jobs).runDue()
            let cut = error.prefix(scalars: 300)
            #expect(try await reasons(fixture) == ["final: \(cut)"])
            let waiting = try await fixture.database.read {
                try $0.rows("SELECT last_error FROM jobs").map { try $0.text("last_error") }
            }
            #expect(waiting == [cut])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job that expired is kept with its last error, or with that it never ran`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            var jobs = TestJobs()
            jobs.body = { _ in .retry("Busy") }
            try await fixture.enqueue(fixture.job("tried", expires: .seconds(5)))
            try await fixture.runner(jobs).runDue()
            try await fixture.enqueue(fixture.job("untried", expires: .seconds(5)))
            fixture.time.advance(by: .seconds(6))
            try await fixture.expiry.giveUp([jobs])
            #expect(
                try await reasons(fixture).sorted() == [
                    "tried: Busy", "untried: It expired while it waited.",
                ])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a kind that keeps no given-up jobs stores none, and a job enqueued meanwhile still waits`(
        _ engine: SQLEngine
    ) async throws {
        try await JobFixture.with(engine) { fixture in
            var jobs = failing()
            jobs.keepsGivenUp = false
            try await fixture.enqueue(fixture.job("a"))
            try await fixture.runner(jobs).runDue()
            #expect(try await fixture.queuedKeys().isEmpty)
            #expect(try await reasons(fixture).isEmpty)

            jobs.keepsGivenUp = true
            jobs.body = { job in
                try await fixture.enqueue(fixture.job("b", in: .seconds(60)))
                return .giveUp("No use")
            }
            try await fixture.enqueue(fixture.job("b"))
            try await fixture.runner(jobs).runDue()
            #expect(try await fixture.queuedKeys() == ["b"])
            #expect(try await reasons(fixture).isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job that is run again has its payload and lane, and is in the list no more`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            let jobs = failing()
            try await fixture.enqueue(fixture.job("a", lane: "own", expires: .seconds(1), payload: "text"))
            try await fixture.runner(jobs).runDue()
            fixture.time.advance(by: .seconds(10))
            let id = Job.ID(environmentID: "env", kind: "test", key: "a")
            #expect(try await fixture.queue.requeue(id, jobs).enqueued == 1)
            #expect(try await reasons(fixture).isEmpty)
            await #expect(throws: Problem.self) { try await fixture.queue.requeue(id, jobs) }
            var good = jobs
            good.body = { job in .finished(note: " \(job.payload) \(job.laneName) \(job.attempts)") }
            // The job's expiry has passed, but it is not given up again for that.
            try await fixture.expiry.giveUp([good])
            try await fixture.runner(good).runDue()
            #expect(try await fixture.recordedResults().first == "a done text test/own 1")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job that fails again is in the list again, with the new reason`(_ engine: SQLEngine) async throws
    {
        try await JobFixture.with(engine) { fixture in
            var jobs = failing()
            try await fixture.enqueue(fixture.job("a"))
            try await fixture.runner(jobs).runDue()
            fixture.time.advance(by: .seconds(1))
            _ = try await fixture.queue.requeue(Job.ID(environmentID: "env", kind: "test", key: "a"), jobs)
            jobs.body = { _ in .giveUp("Still no use") }
            try await fixture.runner(jobs).runDue()
            #expect(try await reasons(fixture) == ["a: Still no use"])
            #expect(try await fixture.queue.givenUp("env", limit: 9).map(\.givenUpAt) == [fixture.time.now])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `all jobs of an environment and kind run again, and what is of no use is removed`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            var jobs = failing(), others = failing()
            others.kind = "other"
            jobs.limits.maximumRunning = 1_000
            let now = fixture.time.now
            // More jobs than `requeueAll` enqueues in one transaction.
            for part in 0..<5 {
                let some = (0..<100).map { fixture.job("\(part)-\($0)") }
                try await fixture.database.write { try JobQueue.enqueue(some, in: $0) }
            }
            try await fixture.enqueue(
                NewJob("test", key: "foreign", in: "foreign", at: now),
                NewJob("other", key: "other", in: "env", at: now))
            try await fixture.runner(jobs, others).runDue()
            #expect(try await fixture.queue.givenUpCount("env") == 501)
            let all = try await fixture.queue.requeueAll("env", jobs)
            #expect(all.enqueued == 500 && all.obsolete == 0)
            #expect(try await fixture.queuedKeys().count == 500)
            #expect(try await reasons(fixture) == ["other: No use: other"])
            #expect(try await reasons(fixture, "foreign") == ["foreign: No use: foreign"])

            others.isUseful = false
            let obsolete = try await fixture.queue.requeueAll("env", others)
            #expect(obsolete.enqueued == 0 && obsolete.obsolete == 1)
            #expect(try await fixture.queuedKeys().count == 500)
            #expect(try await reasons(fixture).isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job that fails again at once is requeued once, and one that waits anew is left as it is`(
        _ engine: SQLEngine
    ) async throws {
        try await JobFixture.with(engine) { fixture in
            let jobs = failing()
            try await fixture.enqueue(fixture.job("failing"), fixture.job("newer", payload: "old"))
            try await fixture.runner(jobs).runDue()
            try await fixture.enqueue(fixture.job("newer", in: .seconds(60), payload: "new"))
            // Each transaction that enqueues is followed by a run, as on a busy server.
            let busy = JobQueue(database: BusyDatabase(base: fixture.database, fixture: fixture, jobs: jobs))
            {
                fixture.time.now
            }
            let requeued = try await busy.requeueAll("env", jobs)
            #expect(requeued.enqueued == 1 && requeued.obsolete == 1)
            #expect(try await reasons(fixture) == ["failing: No use: failing"])
            let payloads = try await fixture.database.read {
                try $0.rows("SELECT payload FROM jobs").map { try $0.text("payload") }
            }
            #expect(payloads == ["new"])
        }
    }

    /// A database that runs its due jobs after each write, a second later.
    private struct BusyDatabase: ForwardingDatabase {
        let base: any SQLDatabase
        let fixture: JobFixture
        let jobs: TestJobs

        var forAnalytics: any SQLDatabase { self }
        func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase { self }

        func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T
        {
            let result = try await base.write(body)
            fixture.time.advance(by: .seconds(1))
            try await fixture.runner(jobs).runDue()
            return result
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job that was given up is kept for a week`(_ engine: SQLEngine) async throws {
        try await JobFixture.with(engine) { fixture in
            let jobs = failing()
            try await fixture.enqueue(fixture.job("old"))
            try await fixture.runner(jobs).runDue()
            fixture.time.advance(by: .seconds(1))
            try await fixture.enqueue(fixture.job("new"))
            try await fixture.runner(jobs).runDue()
            fixture.time.advance(by: JobQueue.givenUpRetention - .seconds(1))
            try await fixture.queue.removeOldGivenUp()
            #expect(try await reasons(fixture) == ["new: No use: new"])
        }
    }
}
