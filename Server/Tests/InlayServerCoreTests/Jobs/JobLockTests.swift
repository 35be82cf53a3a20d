import InlaySQL
import InlaySQLTesting
import InlayTesting
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The locks of the queue's transactions, and claims that end while a result is stored.
@Suite(.timeLimit(.minutes(3))) struct JobLockTests {
    /// A handler that runs these statements to record a result.
    private struct RecordingJobs: JobHandler {
        let kind: JobKind = "test"
        let areKeysLogged = true
        let limits = JobLimits(
            lease: .seconds(30), retry: .doubling(from: .seconds(1), to: .seconds(60)))
        let statements: [String]

        func run(_ batch: JobBatch) async throws {}

        func record(_ result: JobResult, of job: Job, in connection: any SQLConnection) throws {
            for statement in statements { try connection.execute(statement) }
        }
    }

    /// The way in which a job ends.
    enum Ending: CaseIterable { case settled, expired }

    /// Prepares the end of a job, and returns a closure that stores it.
    private func end(
        _ ending: Ending, _ handler: RecordingJobs, _ node: JobFixture
    ) async throws -> @Sendable () async throws -> Void {
        try await node.enqueue(node.job("a", expires: .seconds(5)))
        switch ending {
        case .settled:
            let job = try #require(try await node.runner(handler).claimDue().batches.first?.jobs.first)
            return {
                try await node.queue.store([
                    JobSettlement(job: job, result: .done(note: ""), handler: handler)
                ])
            }
        case .expired:
            node.time.advance(by: .seconds(6))
            return { try await node.expiry.giveUp([handler]) }
        }
    }

    @Test(arguments: Ending.allCases)
    func `a result that waits for a row of its feature does not hold its job`(_ ending: Ending) async throws {
        try await JobFixture.with(.postgresql, nodes: 2) { nodes in
            let (node, other) = (nodes[0], nodes[1])
            let handler = RecordingJobs(statements: ["UPDATE results SET result = 'ended'"])
            try await node.database.write {
                _ = try $0.execute("INSERT INTO results (key, result) VALUES ('row', '')")
            }
            let store = try await end(ending, handler, node)
            let (locked, goesOn) = (AsyncStream<Void>.makeStream(), BlockingLatch())
            async let lock: Void = other.database.write { connection in
                try connection.execute("UPDATE results SET result = 'held'")
                locked.continuation.yield()
                try goesOn.wait()
            }
            defer { goesOn.open() }
            for await _ in locked.stream { break }
            async let stored: Void = store()
            try await eventually(within: .seconds(120)) { try await other.database.isAnyoneWaiting() }
            let unlocked = try await other.queue.database.write {
                try $0.rows("SELECT key FROM jobs FOR UPDATE SKIP LOCKED").count
            }
            #expect(unlocked == 1)
            goesOn.open()
            try await lock
            try await stored
            #expect(try await node.queuedKeys().isEmpty)
            #expect(try await node.recordedResults() == ["row ended"])
        }
    }

    @Test func `a claim is extended while a result is being stored`() async throws {
        try await JobFixture.with(.postgresql) { fixture in
            try await fixture.enqueue(fixture.job("a"))
            let jobs = try await fixture.runner(TestJobs()).claimDue().batches.flatMap(\.jobs)
            let (begun, goesOn) = (AsyncStream<Void>.makeStream(), BlockingLatch())
            async let storing: Void = fixture.queue.database.write { _ in
                begun.continuation.yield()
                try goesOn.wait()
            }
            defer { goesOn.open() }
            for await _ in begun.stream { break }
            #expect(try await fixture.queue.extend(jobs, by: .seconds(60)))
            goesOn.open()
            try await storing
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a result whose claim has ended is not stored or recorded, and does not block other results`(
        _ engine: SQLEngine
    ) async throws {
        try await JobFixture.with(engine) { fixture in
            let jobs = TestJobs()
            try await fixture.enqueue(fixture.job("lost"))
            let lost = try #require(try await fixture.runner(jobs).claimDue().batches.first?.jobs.first)
            fixture.time.advance(by: jobs.limits.lease)
            try await fixture.enqueue(fixture.job("good"))
            let held = try await fixture.runner(jobs).claimDue().batches.flatMap(\.jobs)
            let good = try #require(held.first { $0.key == "good" })
            let results: [JobSettlement] = [lost, good].map {
                JobSettlement(job: $0, result: .done(note: ""), handler: jobs)
            }
            await #expect(throws: JobQueue.ClaimLost.self) { try await fixture.queue.store(results) }
            #expect(try await fixture.recordedResults().isEmpty)
            await JobSettlements(queue: fixture.queue, logger: .quiet).store(results)
            #expect(try await fixture.recordedResults() == ["good done"])
            #expect(try await fixture.queuedKeys() == ["lost"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the record of a result whose claim ends meanwhile is undone`(_ engine: SQLEngine) async throws {
        try await JobFixture.with(engine) { fixture in
            let handler = RecordingJobs(statements: [
                "INSERT INTO results (key, result) VALUES ('a', 'done')", "UPDATE jobs SET claim = 'another'",
            ])
            try await fixture.enqueue(fixture.job("a"))
            let job = try #require(try await fixture.runner(handler).claimDue().batches.first?.jobs.first)
            await JobSettlements(queue: fixture.queue, logger: .quiet).add(job, .done(note: ""), handler)
            #expect(try await fixture.recordedResults().isEmpty)
            #expect(try await fixture.queuedKeys() == ["a"])
        }
    }
}
