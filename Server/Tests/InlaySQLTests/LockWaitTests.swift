import Foundation
import InlaySQLTesting
import Testing

@testable import InlaySQL

/// The time that statements wait for locks, read back from PostgreSQL's own setting.
@Suite(.timeLimit(.minutes(5))) struct LockWaitTests {
    /// Returns the `lock_timeout` in force, in milliseconds.
    private func limit(_ connection: any SQLConnection) throws -> Int {
        let sql = "SELECT CAST(setting AS BIGINT) AS ms FROM pg_settings WHERE name = 'lock_timeout'"
        return try #require(try connection.row(sql)).int("ms")
    }

    /// Runs a body with a connection whose clock stands still until the body moves it.
    private func withConnection(
        _ body: (PostgresConnection, Locked<ContinuousClock.Instant>) throws -> Void
    ) async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            let time = Locked(ContinuousClock.now)
            let connection = try PostgresConnection(PostgresAddress(url: url)) { time.withLock { $0 } }
            defer { connection.close() }
            try body(connection, time)
        }
    }

    @Test func `a transaction waits for locks as long as is left from its caller's arrival`() async throws {
        try await withConnection { connection, time in
            let now = time.withLock { $0 }
            for (left, milliseconds) in [
                (Duration.seconds(10), 9_500), (.seconds(4), 3_500), (.milliseconds(501), 100),
                (.seconds(-3), 100),
            ] {
                try connection.begin(until: now + left)
                #expect(try limit(connection) == milliseconds)
                connection.rollback()
                try connection.beginReading(until: now + left)
                #expect(try limit(connection) == milliseconds)
                connection.endReading()
            }
            // Analytics reads have no deadline: no caller of theirs gives up after ten seconds.
            try connection.beginReading(until: nil)
            #expect(try limit(connection) == 10_000)
            connection.endReading()
        }
    }

    @Test func `a later statement of a transaction waits shorter by what the earlier ones took`() async throws
    {
        try await withConnection { connection, time in
            try connection.begin(until: time.withLock { $0 } + .seconds(10))
            #expect(try limit(connection) == 9_500)
            time.withLock { $0 += .milliseconds(90) }
            #expect(try limit(connection) == 9_500, "So little costs no round trip.")
            time.withLock { $0 += .seconds(6) }
            #expect(try limit(connection) == 3_410)
            connection.rollback()
        }
    }

    @Test func `each body of a group has its own limit, also after one was rolled back`() async throws {
        try await withConnection { connection, time in
            let now = time.withLock { $0 }
            try connection.begin(until: now + .seconds(2))
            try connection.savepoint(until: now + .seconds(2))
            #expect(try limit(connection) == 1_500)
            try connection.releaseSavepoint()
            try connection.savepoint(until: now + .seconds(8))
            #expect(try limit(connection) == 7_500)
            try connection.rollbackToSavepoint()
            try connection.releaseSavepoint()
            try connection.savepoint(until: now + .seconds(8))
            #expect(try limit(connection) == 7_500)
            try connection.commit()
        }
    }

    @Test func `writes and reads of a database wait for locks for less than ten seconds`() async throws {
        try await TestDatabase.with(.postgresql) { database in
            let limits = [
                try await database.write { try limit($0) },
                try await database.lane("cards").write { try limit($0) },
                try await database.read { try limit($0) },
            ]
            for limit in limits { #expect((1...9_500).contains(limit)) }
            #expect(try await database.forAnalytics.read { try limit($0) } == 10_000)
        }
    }
}
