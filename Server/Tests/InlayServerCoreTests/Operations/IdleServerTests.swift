import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The work of the database while no client calls its server.
@Suite(.timeLimit(.minutes(3))) struct IdleServerTests {
    @Test(arguments: SQLEngine.allCases)
    func `an idle server commits nothing for 29 seconds, though it looks for jobs`(_ engine: SQLEngine)
        async throws
    {
        try await TestApp.run(engine, watching: { RecordingDatabase($0) }) { app in
            let audited = try #require(app.services.database as? AuditedDatabase)
            let database = try #require(audited.base as? RecordingDatabase)
            let queue = app.services.jobs, clock = app.clock
            // Each periodic task runs once at the start.
            try await eventually(within: .seconds(120)) { try await Self.isAtRest(database, at: clock.now) }
            database.clearStatements()
            clock.advance(by: .seconds(29))
            queue.wake()
            // The second poll begins after the first one has claimed the jobs that are due.
            try await eventually(within: .seconds(120)) {
                database.statements.count { $0.sql.contains("RECURSIVE lanes") } >= 2
            }
            #expect(database.statements.filter { $0.access == .write }.map(\.sql) == [])
        }
    }

    /// Whether there are periodic tasks, and none is due or under way.
    private static func isAtRest(_ database: any SQLDatabase, at now: Timestamp) async throws -> Bool {
        try await database.read { connection in
            let row = try connection.row(
                """
                SELECT COUNT(*) AS n, SUM(CASE WHEN due_at <= ? OR claim IS NOT NULL THEN 1 ELSE 0 END) AS open FROM jobs
                """, [.moment(now)])
            return try row?.int("n") ?? 0 > 0 && row?.optionalInt64("open") == 0
        }
    }
}
