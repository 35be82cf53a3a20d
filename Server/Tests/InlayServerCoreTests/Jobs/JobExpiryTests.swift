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
        try await JobWorld.with(engine) { world in
            let jobs = TestJobs()
            let promised = NewJob(
                "test", key: "promised", in: "env", at: world.time.now,
                expiresAt: world.time.now + .seconds(5),
                minimumAttempts: 1)
            try await world.enqueue(world.job("plain", expires: .seconds(5)), promised)
            world.time.advance(.seconds(5))
            try await world.expiry.giveUp([jobs])
            #expect(try await world.keys() == ["plain", "promised"])
            world.time.advance(.milliseconds(1))
            try await world.expiry.giveUp([jobs])
            #expect(try await world.keys() == ["promised"])
            #expect(try await world.results() == ["plain failed "])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a run that left no result counts as the job's promised attempt`(_ engine: SQLEngine) async throws {
        try await JobWorld.with(engine) { world in
            let jobs = TestJobs()
            try await world.enqueue(
                NewJob(
                    "test", key: "a", in: "env", at: world.time.now, expiresAt: world.time.now,
                    minimumAttempts: 1))
            #expect(try await world.runner(jobs).claimDue().batches.count == 1)
            world.time.advance(jobs.limits.lease)
            try await world.expiry.giveUp([jobs])
            #expect(try await world.keys().isEmpty)
            #expect(try await world.results() == ["a failed "])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an expired job that cannot be recorded holds up neither its kind nor another`(_ engine: SQLEngine)
        async throws
    {
        try await JobWorld.with(engine) { world in
            try await world.enqueue(world.job(TestJobs.unrecordable, expires: .zero))
            let handlers = try await world.expireJobsOfTwoKinds()
            try await world.expiry.giveUp(handlers)
            #expect(try await world.keys() == [TestJobs.unrecordable])
            #expect(try await world.results() == ["a failed ", "b failed "])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a kind whose jobs cannot be claimed holds up no other, whatever the error is`(_ engine: SQLEngine)
        async throws
    {
        try await JobWorld.with(engine) { world in
            let handlers = try await world.expireJobsOfTwoKinds()
            let database = UnclaimableKind(base: world.database, kind: handlers[0].kind)
            let queue = JobQueue(database: database, now: { world.time.now })
            try await JobExpiry(queue: queue, logger: .quiet).giveUp(handlers)
            #expect(try await world.keys() == ["a"])
            #expect(try await world.results() == ["b failed "])
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
