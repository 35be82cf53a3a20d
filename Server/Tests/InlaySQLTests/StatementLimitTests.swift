import InlaySQLTesting
import Testing

@testable import InlaySQL

/// The time limit of statements: a statement that exceeds it fails, and no other statement does.
@Suite(.timeLimit(.minutes(5))) struct StatementLimitTests {
    private static let schema = SQLMigration(
        feature: "limits", name: "0001", sql: "CREATE TABLE items (id BIGINT PRIMARY KEY)")
    /// A query that never ends.
    private static let endless =
        "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) AS n FROM n"
    /// An insertion that never ends.
    private static let flood =
        "INSERT INTO items (id) WITH RECURSIVE n (x) AS (SELECT 100 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"

    private func with(_ engine: SQLEngine, _ body: (any SQLDatabase) async throws -> Void) async throws {
        try await TestDatabase.withURL(engine) { url in
            let database = try await SQLDatabaseURL.open(url, statementLimit: .seconds(1))
            defer { database.close() }
            try await database.migrate([Self.schema])
            try await body(database)
        }
    }

    private func stored(_ database: any SQLDatabase) async throws -> [Int] {
        try await database.read { try $0.rows("SELECT id FROM items ORDER BY id").map { try $0.int("id") } }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a statement that takes too long is ended, and the next one runs`(engine: SQLEngine) async throws {
        try await with(engine) { database in
            await expectError(.timeout) { try await database.read { try $0.rows(Self.endless) } }
            await expectError(.timeout) { try await database.write { try $0.execute(Self.flood) } }
            try await database.write { try $0.execute("INSERT INTO items VALUES (1)") }
            #expect(try await stored(database) == [1])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `bodies that share a commit with a statement that takes too long are stored`(
        engine: SQLEngine
    ) async throws {
        try await with(engine) { database in
            var group = try HeldGroup(database)
            group.add("before") { try $0.execute("INSERT INTO items VALUES (1)") }
            group.add("looks") { _ = try $0.rows(Self.endless) }
            group.add("writes") { try $0.execute(Self.flood) }
            group.add("after") { try $0.execute("INSERT INTO items VALUES (2)") }
            let jobs = try await group.run()
            #expect(jobs.map(\.kind) == [nil, .timeout, .timeout, nil])
            #expect(try await stored(database) == [1, 2])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a migration takes the time it needs`(engine: SQLEngine) async throws {
        try await TestDatabase.withURL(engine) { url in
            // On PostgreSQL the limit is also in force while a connection is set up.
            let limit = engine == .sqlite ? Duration.milliseconds(100) : .seconds(1)
            let rows = engine == .sqlite ? 2_000_000 : 1_500_000
            let database = try await SQLDatabaseURL.open(url, statementLimit: limit)
            defer { database.close() }
            let insertion = """
                INSERT INTO items (id) WITH RECURSIVE n (x) AS
                    (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(rows)) SELECT x FROM n
                """
            let long = SQLMigration(feature: "limits", name: "0002", sql: insertion)
            try await database.migrate([Self.schema])
            // The limit ends the same statement outside of a migration.
            await expectError(.timeout) { try await database.write { try $0.execute(insertion) } }
            try await database.migrate([Self.schema, long])
            let plain = try await SQLDatabaseURL.open(url, statementLimit: nil)
            defer { plain.close() }
            let count = try await plain.read {
                try $0.rows("SELECT COUNT(*) AS n FROM items")[0].int("n")
            }
            #expect(count == rows)
        }
    }
}
