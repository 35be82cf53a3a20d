import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The job runner of a node: when it polls, how it stops, and its periodic tasks.
@Suite(.timeLimit(.minutes(3))) struct JobRunnerTests {
    @Test(arguments: SQLEngine.allCases)
    func `a runner that sleeps is woken by the writer`(_ engine: SQLEngine) async throws {
        try await JobFixture.with(engine) { fixture in
            // The runner does not poll by itself while the test lasts.
            let runner = fixture.runner(TestJobs(), maximumPause: .seconds(3_600))
            try await within {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await runner.run() }
                    try await eventually { fixture.queue.wakeup.isSleeping }
                    try await fixture.enqueue(fixture.job("woken"))
                    fixture.queue.wake()
                    try await eventually { try await fixture.recordedResults().contains("woken done") }
                    group.cancelAll()
                }
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a runner finds a job that another node enqueued without waking it`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            let runner = fixture.runner(TestJobs())
            try await within {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await runner.run() }
                    try await eventually { fixture.queue.wakeup.isSleeping }
                    try await fixture.enqueue(fixture.job("found"))
                    try await eventually { try await fixture.recordedResults().contains("found done") }
                    group.cancelAll()
                }
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a stop releases running jobs at once without counting the attempt, and keeps finished ones`(
        _ engine: SQLEngine
    ) async throws {
        try await JobFixture.with(engine) { fixture in
            let started = Flag()
            var jobs = TestJobs()
            jobs.body = { job in
                guard job.key == "slow" else { return .done }
                started.set()
                for await _ in TimerSequence(every: .seconds(600)) {}
                throw CancellationError()
            }
            jobs.limits.batchSize = 1
            try await fixture.enqueue(fixture.job("quick"), fixture.job("slow"))
            let runner = fixture.runner(jobs)
            let running = Task { await runner.run() }  // cancelled below
            defer { running.cancel() }
            try await eventually(within: .seconds(120)) { started.isSet }
            try await eventually(within: .seconds(120)) {
                try await fixture.recordedResults().contains("quick done")
            }
            running.cancel()
            try await within { await running.value }
            #expect(try await fixture.queuedKeys() == ["slow"])
            let again = try #require(try await fixture.runner(jobs).claimDue().batches.first?.jobs.first)
            #expect(again.attempts == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a claim is extended while its handler runs when the kind renews leases`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            var jobs = TestJobs()
            jobs.limits.lease = .milliseconds(300)
            jobs.limits.isLeaseRenewed = true
            jobs.body = { _ in
                let end = try #require(try await fixture.queue.lanes().first?.dueAt)
                fixture.time.advance(by: .milliseconds(100))
                try await eventually { try await fixture.queue.lanes().first?.dueAt != end }
                return .done
            }
            try await fixture.enqueue(fixture.job("a"))
            let runner = fixture.runner(jobs)
            try await within { try await runner.runDue() }
            #expect(try await fixture.recordedResults() == ["a done"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a run whose claim is lost is cancelled, and its job is left to the new claim`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            var jobs = TestJobs()
            jobs.limits.lease = .milliseconds(30)
            jobs.limits.isLeaseRenewed = true
            jobs.body = { _ in
                try await fixture.database.write { _ = try $0.execute("UPDATE jobs SET claim = 'another'") }
                for await _ in TimerSequence(every: .seconds(600)) {}
                throw CancellationError()
            }
            try await fixture.enqueue(fixture.job("a"))
            let runner = fixture.runner(jobs)
            try await within { try await runner.runDue() }
            #expect(try await fixture.recordedResults().isEmpty)
            let claims = try await fixture.database.read {
                try $0.rows("SELECT claim FROM jobs").map { try $0.text("claim") }
            }
            #expect(claims == ["another"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the log line of a failed run has its kind, and its keys unless they are user ids`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            for areKeysLogged in [true, false] {
                let (logger, lines) = RecordedLog.make()
                var jobs = TestJobs()
                jobs.areKeysLogged = areKeysLogged
                jobs.body = { _ in throw TestFailure("no") }
                try await fixture.enqueue(fixture.job("ada-17"))
                try await fixture.runner(jobs, logger: logger).runDue()
                let failed = lines.withLockedValue { $0 }.filter { $0.level == .error }.map(\.text)
                #expect(failed.count == 1 && failed.allSatisfy { $0.contains("\"kind\": test") }, "\(failed)")
                #expect(failed.allSatisfy { $0.contains("env/ada-17") == areKeysLogged }, "\(failed)")
                fixture.time.advance(by: .seconds(4))
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a periodic task is run by one node after each interval, and a failed task delays no other`(
        _ engine: SQLEngine
    ) async throws {
        try await JobFixture.with(engine, nodes: 2) { nodes in
            let ran = SharedValue<[String]>([])
            let tasks = [
                PeriodicTask("failing", every: .seconds(10)) {
                    ran.change { $0.append("failing") }
                    throw TestFailure("no")
                },
                PeriodicTask("good", every: .seconds(20)) { ran.change { $0.append("good") } },
            ]
            let loops = nodes.map { MaintenanceLoop(tasks, $0.queue, logger: .quiet) }
            for loop in loops { try await loop.prepare() }
            func round() async throws -> [String] {
                ran.set(to: [])
                for (node, loop) in zip(nodes, loops) { try await node.runner(loop).runDue() }
                return ran.value.sorted()
            }
            #expect(try await round() == ["failing", "good"])
            #expect(try await round() == [])
            nodes[0].time.advance(by: .seconds(10))
            // A node that starts does not change when tasks are due.
            try await loops[1].prepare()
            #expect(try await round() == ["failing"])
            nodes[0].time.advance(by: .seconds(10))
            #expect(try await round() == ["failing", "good"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a run that takes longer than its lease is cancelled and counts as failed`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            var jobs = TestJobs()
            jobs.limits.lease = .milliseconds(50)
            jobs.limits.retry = .doubling(from: .seconds(4), to: .seconds(60), maximumAttempts: 2)
            jobs.body = { _ in
                for await _ in TimerSequence(every: .seconds(600)) {}
                throw CancellationError()
            }
            try await fixture.enqueue(fixture.job("a"))
            let runner = fixture.runner(jobs)
            try await within { try await runner.runDue() }
            #expect(try await fixture.recordedResults() == ["a retry The run took longer than 0.045 seconds"])
            fixture.time.advance(by: .seconds(4))
            try await within { try await runner.runDue() }
            #expect(
                try await fixture.recordedResults().last == "a retry The run took longer than 0.045 seconds")
            #expect(
                try await fixture.recordedResults().first == "a failed The run took longer than 0.045 seconds"
            )
            #expect(try await fixture.queuedKeys().isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `jobs and tasks of a newer version wait untouched for its nodes, and are reported once`(
        _ engine: SQLEngine
    ) async throws {
        try await JobFixture.with(engine, nodes: 2) { nodes in
            let (old, new) = (nodes[0], nodes[1]), (logger, lines) = RecordedLog.make()
            func task(_ name: String) -> PeriodicTask { PeriodicTask(name, every: .seconds(10)) {} }
            let tasks = MaintenanceLoop([task("old")], old.queue, logger: logger)
            let newTasks = MaintenanceLoop([task("old"), task("new")], new.queue, logger: .quiet)
            var later = TestJobs()
            later.kind = "later"
            try await newTasks.prepare()
            try await new.enqueue(
                new.job("a"),
                NewJob(
                    later.kind, key: "b", in: "env", at: new.time.now, expiresAt: new.time.now,
                    payload: "of the newer version"))
            new.time.advance(by: .milliseconds(1))

            let runner = old.runner(TestJobs(), tasks, logger: logger)
            try await within { try await runner.runDue() }
            try await old.expiry.giveUp([TestJobs(), tasks])
            var reported: Set<JobKind> = ["test", MaintenanceLoop.kind]
            for _ in 0..<2 { await runner.reportDue(&reported) }
            #expect(try await old.recordedResults() == ["a done"])
            #expect(try await old.queuedKeys() == ["b", "new", "old"])
            let warnings = lines.withLockedValue { $0 }.filter { $0.level >= .notice }.map(\.text)
            #expect(
                warnings.count == 1 && warnings.allSatisfy { $0.contains("\"kind\": later") }, "\(warnings)")

            later.body = { job in .finished(note: " \(job.payload)") }
            let newRunner = new.runner(later, newTasks)
            try await within { try await newRunner.runDue() }
            #expect(try await old.recordedResults() == ["a done", "b done of the newer version"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the queue returns how many jobs are due of each kind`(_ engine: SQLEngine) async throws {
        try await JobFixture.with(engine) { fixture in
            try await fixture.enqueue(
                fixture.job("a"), fixture.job("b"), fixture.job("later", in: .seconds(1)),
                NewJob("other", key: "a", in: "env", at: fixture.time.now))
            #expect(try await fixture.queue.dueCounts() == ["test": 2, "other": 1])
        }
    }
}
