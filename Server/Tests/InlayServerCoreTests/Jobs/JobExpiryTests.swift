import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The expiry of jobs that waited too long.
@Suite(.timeLimit(.minutes(3))) struct JobExpiryTests {
    @Test(arguments: SQLEngine.allCases)
    func `a job that expires while it waits is given up, and one that is promised an attempt has it first`(
        _ engine: SQLEngine
    ) async throws {
        try await JobFixture.with(engine) { fixture in
            let jobs = TestJobs()
            let promised = NewJob(
                "test", key: "promised", in: "env", at: fixture.time.now,
                expiresAt: fixture.time.now + .seconds(5),
                minimumAttempts: 1)
            try await fixture.enqueue(fixture.job("plain", expires: .seconds(5)), promised)
            fixture.time.advance(by: .seconds(5))
            try await fixture.expiry.giveUp([jobs])
            #expect(try await fixture.queuedKeys() == ["plain", "promised"])
            fixture.time.advance(by: .milliseconds(1))
            try await fixture.expiry.giveUp([jobs])
            #expect(try await fixture.queuedKeys() == ["promised"])
            #expect(try await fixture.recordedResults() == ["plain failed "])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a run that left no result counts as the job's promised attempt`(_ engine: SQLEngine) async throws {
        try await JobFixture.with(engine) { fixture in
            let jobs = TestJobs()
            try await fixture.enqueue(
                NewJob(
                    "test", key: "a", in: "env", at: fixture.time.now, expiresAt: fixture.time.now,
                    minimumAttempts: 1))
            #expect(try await fixture.runner(jobs).claimDue().batches.count == 1)
            fixture.time.advance(by: jobs.limits.lease)
            try await fixture.expiry.giveUp([jobs])
            #expect(try await fixture.queuedKeys().isEmpty)
            #expect(try await fixture.recordedResults() == ["a failed "])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an expired job that cannot be recorded holds up neither its kind nor another`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            try await fixture.enqueue(fixture.job(TestJobs.unrecordable, expires: .zero))
            let handlers = try await fixture.expireJobsOfTwoKinds()
            try await fixture.expiry.giveUp(handlers)
            #expect(try await fixture.queuedKeys() == [TestJobs.unrecordable])
            #expect(try await fixture.recordedResults() == ["a failed ", "b failed "])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a kind whose jobs cannot be claimed holds up no other, whatever the error is`(_ engine: SQLEngine)
        async throws
    {
        try await JobFixture.with(engine) { fixture in
            let handlers = try await fixture.expireJobsOfTwoKinds()
            let database = UnclaimableKind(base: fixture.database, kind: handlers[0].kind)
            let queue = JobQueue(database: database, now: { fixture.time.now })
            try await JobExpiry(queue: queue, logger: .quiet).giveUp(handlers)
            #expect(try await fixture.queuedKeys() == ["a"])
            #expect(try await fixture.recordedResults() == ["b failed "])
        }
    }

    /// A database in which statements about the jobs of one kind throw an error that is not the database's.
    private struct UnclaimableKind: ForwardingDatabase {
        let base: any SQLDatabase
        let kind: JobKind

        private struct Connection: SQLConnection {
            let connection: any SQLConnection
            let kind: JobKind
            var writerNumber: Int64 { connection.writerNumber }

            func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
                try connection.execute(sql, arguments)
            }

            func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
                guard !arguments.contains(.text(kind.rawValue)) else {
                    throw TestFailure("It cannot be claimed.")
                }
                return try connection.rows(sql, arguments)
            }
        }

        @discardableResult
        func write<T: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> T
        ) async throws -> T {
            try await base.write { [kind] in try body(Connection(connection: $0, kind: kind)) }
        }

        func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase { self }
        var forAnalytics: any SQLDatabase { self }
    }
}
