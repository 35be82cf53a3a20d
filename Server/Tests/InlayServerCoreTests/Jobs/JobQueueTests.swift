import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The guarantees of the job queue, on both engines.
@Suite(.timeLimit(.minutes(3))) struct JobQueueTests {
    @Test(arguments: SQLEngine.allCases)
    func `jobs of a lane run one after another in the order in which they are due`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            var jobs = TestJobs()
            jobs.limits.maximumRunning = 1
            for (key, delay) in [("c", 3), ("a", 1), ("d", 4), ("b", 2)] {
                try await fixture.enqueue(fixture.job(key, in: .seconds(delay)))
            }
            fixture.time.advance(by: .seconds(3))
            try await fixture.runner(jobs).runDue()
            #expect(jobs.ran.value == ["a", "b", "c"], "what is not due waits")
            #expect(try await fixture.queuedKeys() == ["d"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a lane with many jobs holds up no other`(_ engine: SQLEngine) async throws {
        try await JobFixture.with(engine) { fixture in
            var jobs = TestJobs()
            jobs.limits.maximumRunning = 10
            let many = (0..<100).map { fixture.job("many-\($0)", lane: "many") }
            try await fixture.database.write { try JobQueue.enqueue(many, in: $0) }
            fixture.time.advance(by: .seconds(1))
            try await fixture.enqueue(fixture.job("x", lane: "few"), fixture.job("y", lane: "other"))
            let found = try await fixture.runner(jobs).claimDue()
            let keys = found.batches.flatMap(\.jobs).map(\.key)
            #expect(keys.count <= 10 && Set(keys).isSuperset(of: ["x", "y"]), "in the first claim")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a lane that does not answer leaves capacity to the others`(_ engine: SQLEngine) async throws {
        try await JobFixture.with(engine) { fixture in
            let latch = Latch()
            var jobs = TestJobs()
            (jobs.limits.maximumRunning, jobs.limits.maximumPerLane) = (8, 4)
            jobs.limits.batchSize = 1
            jobs.body = { job in
                if job.key.hasPrefix("stuck") { await latch.wait() }
                return .done
            }
            let many = (0..<20).map { fixture.job("stuck-\($0)", lane: "stuck") }
            try await fixture.database.write { try JobQueue.enqueue(many, in: $0) }
            let (runner, ran) = (fixture.runner(jobs), jobs.ran)
            try await within {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await runner.run() }
                    try await fixture.enqueue(fixture.job("quick", lane: "quick"))
                    fixture.queue.wake()
                    try await eventually { try await fixture.recordedResults().contains("quick done") }
                    #expect(ran.value.count { $0.hasPrefix("stuck") } <= 4)
                    latch.open()
                    try await eventually { try await fixture.queuedKeys().isEmpty }
                    group.cancelAll()
                }
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `each job is claimed by one of three nodes`(_ engine: SQLEngine) async throws {
        try await JobFixture.with(engine, nodes: 3) { nodes in
            let ran = SharedValue<[String]>([])
            let all = (0..<300).map { nodes[0].job("\($0)", lane: "\($0 % 7)") }
            try await nodes[0].database.write { try JobQueue.enqueue(all, in: $0) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for node in nodes {
                    group.addTask { try await node.runner(TestJobs(ran: ran)).runDue() }
                }
                try await group.waitForAll()
            }
            #expect(ran.value.count == 300 && Set(ran.value).count == 300)
            #expect(try await nodes[0].queuedKeys().isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func
        `what a dead node claimed is taken over after the lease and not before, and its late result changes nothing`(
            _ engine: SQLEngine
        ) async throws
    {
        try await JobFixture.with(engine, nodes: 2) { nodes in
            let jobs = TestJobs(), time = nodes[0].time
            try await nodes[0].enqueue(nodes[0].job("a"))
            let dead = try #require(try await nodes[0].runner(jobs).claimDue().batches.first?.jobs.first)
            time.advance(by: jobs.limits.lease + .milliseconds(-1))
            try await nodes[1].runner(jobs).runDue()
            #expect(jobs.ran.value.isEmpty)
            time.advance(by: .milliseconds(1))
            let taken = try #require(try await nodes[1].runner(jobs).claimDue().batches.first?.jobs.first)
            #expect(taken.attempts == 1 && taken.claim != dead.claim)
            let late = try await nodes[0].database.write {
                try JobQueue.settle(
                    [(dead, .done(note: "")), (dead, .again(at: time.now, payload: "x"))], in: $0)
            }
            #expect(late.isEmpty)
            #expect(try await nodes[0].queue.extend([dead], by: .seconds(30)) == false)
            let held = try await nodes[1].database.write {
                try JobQueue.settle([(taken, .done(note: ""))], in: $0)
            }
            #expect(held == [taken.id])
            #expect(try await nodes[1].queuedKeys().isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a failed job is tried again after pauses that double up to a maximum`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            var jobs = TestJobs()
            jobs.body = { _ in throw JobFailure("no") }
            try await fixture.enqueue(fixture.job("a"))
            let runner = fixture.runner(jobs)
            try await runner.runDue()
            for (number, pause) in [4, 8, 16, 32, 60, 60].enumerated() {
                fixture.time.advance(by: .seconds(pause) - .milliseconds(1))
                try await runner.runDue()
                #expect(jobs.ran.value.count == number + 1)
                fixture.time.advance(by: .milliseconds(1))
                try await runner.runDue()
                #expect(jobs.ran.value.count == number + 2)
            }
            #expect(try await fixture.recordedResults().count == 7)
            // The maximum jitter, `chance` 1, shortens a pause by a tenth.
            try await fixture.enqueue(fixture.job("b"))
            let other = fixture.runner(jobs, chance: 1)
            try await other.runDue()
            fixture.time.advance(by: .milliseconds(3_601))
            try await other.runDue()
            #expect(jobs.ran.value.count { $0 == "b" } == 2)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job is given up by attempts, by its expiry, or at once, and that is recorded`(
        _ engine: SQLEngine
    ) async throws {
        try await JobFixture.with(engine) { fixture in
            var jobs = TestJobs()
            jobs.limits.retry = .doubling(from: .seconds(4), to: .seconds(4), maximumAttempts: 3)
            jobs.body = { job in throw JobFailure("no", isFinal: job.key == "final") }
            try await fixture.enqueue(
                fixture.job("attempts"), fixture.job("expiry", expires: .seconds(6)), fixture.job("final"))
            let runner = fixture.runner(jobs)
            for _ in 0..<5 {
                try await runner.runDue()
                fixture.time.advance(by: .seconds(4))
            }
            #expect(
                try await fixture.recordedResults() == [
                    "attempts failed no", "attempts retry no", "attempts retry no", "expiry failed no",
                    "expiry retry no", "final failed no",
                ])
            #expect(try await fixture.queuedKeys().isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `only a run that fails counts as an attempt, and not one whose lease ends`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            var jobs = TestJobs()
            jobs.limits.retry = .doubling(from: .seconds(1), to: .seconds(1), maximumAttempts: 2)
            jobs.body = { _ in throw JobFailure("no") }
            try await fixture.enqueue(fixture.job("a"))
            for _ in 0..<2 {
                for _ in 0..<3 {
                    #expect(try await fixture.runner(jobs).claimDue().batches.count == 1)
                    fixture.time.advance(by: jobs.limits.lease)
                }
                try await fixture.runner(jobs).runDue()
                fixture.time.advance(by: .seconds(1))
            }
            #expect(try await fixture.recordedResults() == ["a failed no", "a retry no"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a key is in the queue once, due at the earlier time with the later payload`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            let payloads = SharedValue<[String]>([])
            var jobs = TestJobs()
            jobs.body = { job in
                payloads.change { $0.append(job.payload) }
                return .done
            }
            try await fixture.enqueue(fixture.job("a", in: .seconds(9), payload: "1"))
            try await fixture.enqueue(fixture.job("a", in: .seconds(5), payload: "2"))
            try await fixture.enqueue(fixture.job("a", in: .seconds(7), payload: "3"))
            #expect(try await fixture.queuedKeys() == ["a"])
            fixture.time.advance(by: .seconds(5))
            try await fixture.runner(jobs).runDue()
            #expect(payloads.value == ["3"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job that is enqueued while it runs does not run beside itself, and runs once more`(
        _ engine: SQLEngine
    ) async throws {
        try await JobFixture.with(engine) { fixture in
            let payloads = SharedValue<[String]>([])
            var jobs = TestJobs()
            jobs.body = { job in
                payloads.change { $0.append(job.payload) }
                guard job.payload != "new" else { return .done }
                try await fixture.enqueue(fixture.job("a", payload: "new"))
                #expect(try await fixture.queue.lanes().allSatisfy { $0.dueAt > fixture.time.now })
                return job.payload == "done"
                    ? .done : .again(at: fixture.time.now + .seconds(60), payload: "old")
            }
            for payload in ["done", "again"] {
                payloads.set(to: [])
                try await fixture.enqueue(fixture.job("a", payload: payload))
                try await fixture.runner(jobs).runDue()
                #expect(payloads.value == [payload, "new"])
                #expect(try await fixture.queuedKeys().isEmpty)
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a job enqueued in a transaction that is rolled back was never there`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            await #expect(throws: TestFailure.self) {
                try await fixture.database.write { connection in
                    try JobQueue.enqueue(fixture.job("a"), in: connection)
                    throw TestFailure("rolled back")
                }
            }
            let keys = try await fixture.queuedKeys()
            #expect(keys.isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a result and the handler's record are stored together or not at all`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            var jobs = TestJobs()
            jobs.body = { .finished(note: $0.key == "bad" ? "unrecordable" : "") }
            try await fixture.enqueue(fixture.job("bad"), fixture.job("good"))
            try await fixture.runner(jobs).runDue()
            #expect(
                try await fixture.recordedResults() == ["good done"], "one that fails keeps no other back")
            #expect(try await fixture.queuedKeys() == ["bad"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `more jobs than a statement takes are enqueued, run and removed`(_ engine: SQLEngine) async throws {
        try await JobFixture.with(engine) { fixture in
            var jobs = TestJobs()
            (jobs.limits.maximumRunning, jobs.limits.batchSize) = (700, 700)
            let all = (0..<1_200).map { fixture.job("\($0)", lane: "\($0 % 100)") }
            try await fixture.database.write { try JobQueue.enqueue(all, in: $0) }
            try await fixture.runner(jobs).runDue()
            #expect(Set(jobs.ran.value).count == 1_200 && jobs.ran.value.count == 1_200)
            #expect(try await fixture.queuedKeys().isEmpty)
        }
    }
}
