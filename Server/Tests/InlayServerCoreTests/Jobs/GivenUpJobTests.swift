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

    private func reasons(_ world: JobWorld, _ environmentID: EnvironmentID = "env") async throws -> [String] {
        try await world.queue.givenUp(environmentID, limit: 1_000).map { "\($0.id.key): \($0.error)" }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job that was given up is kept with its reason, the newest first, and no other job is`(
        _ engine: SQLEngine
    ) async throws {
        try await JobWorld.with(engine) { world in
            var jobs = TestJobs()
            jobs.limits.retry = .doubling(from: .seconds(1), to: .seconds(1), maximumAttempts: 2)
            jobs.body = { job in
                switch job.key {
                case "final": .giveUp("Final")
                case "failing": .retry("Attempt \(job.attempts)")
                default: .done
                }
            }
            try await world.enqueue(world.job("done"), world.job("final"), world.job("failing"))
            try await world.runner(jobs).runDue()
            #expect(try await reasons(world) == ["final: Final"])
            world.time.advance(.seconds(1))
            try await world.runner(jobs).runDue()
            #expect(try await reasons(world) == ["failing: Attempt 2", "final: Final"])
            let newest = try #require(try await world.queue.givenUp("env", limit: 1).first)
            #expect(newest.attempts == 2 && newest.givenUpAt == world.time.now && newest.lane == "lane")
            #expect(try await world.queue.givenUpCount("env") == 2)
            #expect(try await reasons(world, "other").isEmpty)
            #expect(try await world.queue.givenUpCounts() == ["test": 2])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an error of a few characters with many combining marks is stored cut`(_ engine: SQLEngine)
        async throws
    {
        try await JobWorld.with(engine) { world in
            let error = "e" + String(repeating: "\u{301}", count: 1_000)
            var jobs = TestJobs()
            jobs.body = { job in job.key == "final" ? .giveUp(error) : .retry(error) }
            try await world.enqueue(world.job("final"), world.job("failing"))
            try await world.runner(jobs).runDue()
            let cut = error.prefix(scalars: 300)
            #expect(try await reasons(world) == ["final: \(cut)"])
            let waiting = try await world.database.read {
                try $0.rows("SELECT last_error FROM jobs").map { try $0.text("last_error") }
            }
            #expect(waiting == [cut])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job that expired is kept with its last error, or with that it never ran`(_ engine: SQLEngine)
        async throws
    {
        try await JobWorld.with(engine) { world in
            var jobs = TestJobs()
            jobs.body = { _ in .retry("Busy") }
            try await world.enqueue(world.job("tried", expires: .seconds(5)))
            try await world.runner(jobs).runDue()
            try await world.enqueue(world.job("untried", expires: .seconds(5)))
            world.time.advance(.seconds(6))
            try await world.expiry.giveUp([jobs])
            #expect(
                try await reasons(world).sorted() == [
                    "tried: Busy", "untried: It expired while it waited.",
                ])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a kind that keeps no given-up jobs stores none, and a job enqueued meanwhile still waits`(
        _ engine: SQLEngine
    ) async throws {
        try await JobWorld.with(engine) { world in
            var jobs = failing()
            jobs.keepsGivenUp = false
            try await world.enqueue(world.job("a"))
            try await world.runner(jobs).runDue()
            #expect(try await world.keys().isEmpty)
            #expect(try await reasons(world).isEmpty)

            jobs.keepsGivenUp = true
            jobs.body = { job in
                try await world.enqueue(world.job("b", in: .seconds(60)))
                return .giveUp("No use")
            }
            try await world.enqueue(world.job("b"))
            try await world.runner(jobs).runDue()
            #expect(try await world.keys() == ["b"])
            #expect(try await reasons(world).isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job that is run again has its payload and lane, and is in the list no more`(_ engine: SQLEngine)
        async throws
    {
        try await JobWorld.with(engine) { world in
            let jobs = failing()
            try await world.enqueue(world.job("a", lane: "own", expires: .seconds(1), payload: "text"))
            try await world.runner(jobs).runDue()
            world.time.advance(.seconds(10))
            let id = Job.ID(environmentID: "env", kind: "test", key: "a")
            #expect(try await world.queue.requeue(id, jobs).enqueued == 1)
            #expect(try await reasons(world).isEmpty)
            await #expect(throws: Problem.self) { try await world.queue.requeue(id, jobs) }
            var good = jobs
            good.body = { job in .finished(note: " \(job.payload) \(job.laneName) \(job.attempts)") }
            // The job's expiry has passed, but it is not given up again for that.
            try await world.expiry.giveUp([good])
            try await world.runner(good).runDue()
            #expect(try await world.results().first == "a done text test/own 1")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job that fails again is in the list again, with the new reason`(_ engine: SQLEngine) async throws
    {
        try await JobWorld.with(engine) { world in
            var jobs = failing()
            try await world.enqueue(world.job("a"))
            try await world.runner(jobs).runDue()
            world.time.advance(.seconds(1))
            _ = try await world.queue.requeue(Job.ID(environmentID: "env", kind: "test", key: "a"), jobs)
            jobs.body = { _ in .giveUp("Still no use") }
            try await world.runner(jobs).runDue()
            #expect(try await reasons(world) == ["a: Still no use"])
            #expect(try await world.queue.givenUp("env", limit: 9).map(\.givenUpAt) == [world.time.now])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `all jobs of an environment and kind run again, and what is of no use is removed`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await JobWorld.with(engine) { world in
            var jobs = failing(), others = failing()
            others.kind = "other"
            jobs.limits.maximumRunning = 1_000
            let now = world.time.now
            // More jobs than `requeueAll` enqueues in one transaction.
            for part in 0..<5 {
                let some = (0..<100).map { world.job("\(part)-\($0)") }
                try await world.database.write { try JobQueue.enqueue(some, in: $0) }
            }
            try await world.enqueue(
                NewJob("test", key: "foreign", in: "foreign", at: now),
                NewJob("other", key: "other", in: "env", at: now))
            try await world.runner(jobs, others).runDue()
            #expect(try await world.queue.givenUpCount("env") == 501)
            let all = try await world.queue.requeueAll("env", jobs)
            #expect(all.enqueued == 500 && all.obsolete == 0)
            #expect(try await world.keys().count == 500)
            #expect(try await reasons(world) == ["other: No use: other"])
            #expect(try await reasons(world, "foreign") == ["foreign: No use: foreign"])

            others.isUseful = false
            let obsolete = try await world.queue.requeueAll("env", others)
            #expect(obsolete.enqueued == 0 && obsolete.obsolete == 1)
            #expect(try await world.keys().count == 500)
            #expect(try await reasons(world).isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job that fails again at once is requeued once, and one that waits anew is left as it is`(
        _ engine: SQLEngine
    ) async throws {
        try await JobWorld.with(engine) { world in
            let jobs = failing()
            try await world.enqueue(world.job("failing"), world.job("newer", payload: "old"))
            try await world.runner(jobs).runDue()
            try await world.enqueue(world.job("newer", in: .seconds(60), payload: "new"))
            // Each transaction that enqueues is followed by a run, as on a busy server.
            let busy = JobQueue(database: BusyDatabase(base: world.database, world: world, jobs: jobs)) {
                world.time.now
            }
            let requeued = try await busy.requeueAll("env", jobs)
            #expect(requeued.enqueued == 1 && requeued.obsolete == 1)
            #expect(try await reasons(world) == ["failing: No use: failing"])
            let payloads = try await world.database.read {
                try $0.rows("SELECT payload FROM jobs").map { try $0.text("payload") }
            }
            #expect(payloads == ["new"])
        }
    }

    /// A database that runs its due jobs after each write, a second later.
    private struct BusyDatabase: ForwardingDatabase {
        let base: any SQLDatabase
        let world: JobWorld
        let jobs: TestJobs

        var forAnalytics: any SQLDatabase { self }
        func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase { self }

        func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T
        {
            let result = try await base.write(body)
            world.time.advance(.seconds(1))
            try await world.runner(jobs).runDue()
            return result
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job that was given up is kept for a week`(_ engine: SQLEngine) async throws {
        try await JobWorld.with(engine) { world in
            let jobs = failing()
            try await world.enqueue(world.job("old"))
            try await world.runner(jobs).runDue()
            world.time.advance(.seconds(1))
            try await world.enqueue(world.job("new"))
            try await world.runner(jobs).runDue()
            world.time.advance(JobQueue.givenUpLife - .seconds(1))
            try await world.queue.removeOldGivenUp()
            #expect(try await reasons(world) == ["new: No use: new"])
        }
    }
}
