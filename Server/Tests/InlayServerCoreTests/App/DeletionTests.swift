import InlaySQL
import InlaySQLTesting
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The deletion of many rows in pieces, so that no statement reaches its limit.
@Suite(.timeLimit(.minutes(3))) struct DeletionTests {
    private static let schema = SQLMigration(
        feature: "deletions", name: "0001",
        sql: """
            CREATE TABLE things (
                seq INTEGER PRIMARY KEY AUTOINCREMENT, environment_id TEXT NOT NULL, user_id TEXT);
            CREATE INDEX things_by_environment ON things (environment_id);
            """)

    /// The users of the rows, which are numbered from 1 in this order.
    private static let things = ["ada", "bob", "ada", nil, "ada", "bob", "ada"]

    private func with(_ engine: SQLEngine, _ body: (RowCountingDatabase) async throws -> Void) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            try await database.write { connection in
                for user in Self.things {
                    try connection.execute(
                        "INSERT INTO things (environment_id, user_id) VALUES ('harbor', ?)",
                        [user.map { .text($0) } ?? .null])
                }
                try connection.execute("INSERT INTO things (environment_id, user_id) VALUES ('other', 'ada')")
            }
            try await body(RowCountingDatabase(database))
        }
    }

    private func left(_ database: any SQLDatabase) async throws -> [Int] {
        try await database.read {
            try $0.rows("SELECT seq FROM things ORDER BY seq").map { try $0.int("seq") }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `what a condition finds is deleted in pieces, to the last row and no other`(_ engine: SQLEngine)
        async throws
    {
        try await with(engine) { database in
            let deleted = try await database.delete(
                from: "things", key: "seq, environment_id", where: "environment_id = ? AND user_id = ?",
                [.text("harbor"), .text("ada")], batchSize: 2)
            #expect(deleted == 4)
            #expect(try await left(database) == [2, 4, 6, 8])
            #expect(database.changed.withLockedValue { $0 } == [2, 2, 0])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user is looked for in pieces of a table without an index on users`(_ engine: SQLEngine)
        async throws
    {
        try await with(engine) { database in
            try await database.deleteRows(of: "ada", "harbor", scanning: "things", batchSize: 2)
            #expect(try await left(database) == [2, 4, 6, 8])
            #expect(database.changed.withLockedValue { $0 } == [1, 1, 1, 1], "one in each piece")
            // Gaps in the numbers are skipped.
            try await database.deleteRows(of: "bob", "harbor", scanning: "things", batchSize: 1)
            #expect(try await left(database) == [4, 8])
        }
    }

    @Test func `a cancelled deletion throws, so that it does not seem complete`() async throws {
        try await with(.sqlite) { database async throws in
            let work = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await database.deleteRows(of: "ada", "harbor", scanning: "things", batchSize: 2)
            }
            await #expect(throws: CancellationError.self) { try await work.value }
            #expect(try await left(database).count == 8)
        }
    }

    @Test func `a deletion by a condition that is broken off throws as well`() async throws {
        try await with(.sqlite) { database async throws in
            let work = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await database.delete(
                    from: "things", key: "seq", where: "user_id = ?", [.text("ada")], batchSize: 2)
            }
            await #expect(throws: CancellationError.self) { try await work.value }
            #expect(try await left(database).count == 8)
        }
    }

    @Test func `a piece that was found is deleted by its key, whatever index the condition has`()
        async throws
    {
        try await with(.sqlite) { database in
            let sql = RowCountingDatabase.deletion(from: "things", key: "seq", where: "environment_id = ?")
            let plan = try await database.write { connection in
                try connection.rows("EXPLAIN QUERY PLAN " + sql, [.text("harbor"), .int(2), .text("harbor")])
                    .map { try $0.text("detail") }
            }
            #expect(plan.first == "SEARCH things USING INTEGER PRIMARY KEY (rowid=?)", "\(plan)")
        }
    }
}
