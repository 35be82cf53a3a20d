import InlaySQL
import InlaySQLTesting
import Testing

/// Migrations: they are only added, applied once and in order, and never edited.
@Suite struct MigrationTests {
    private let first = SQLMigration(
        feature: "a", name: "0001", sql: "CREATE TABLE one (id BIGINT PRIMARY KEY);")
    private let second = SQLMigration(
        feature: "a", name: "0002",
        sql:
            "CREATE TABLE two (id TEXT NOT NULL PRIMARY KEY, b BLOB) WITHOUT ROWID; -- it's ? here\nINSERT INTO one VALUES (1);"
    )
    private let other = SQLMigration(feature: "b", name: "0001", sql: "CREATE TABLE three (id BIGINT)")

    private func names(_ database: any SQLDatabase) async throws -> [String] {
        try await database.read {
            try $0.rows("SELECT feature, name FROM inlay_migrations ORDER BY feature, position").map {
                try $0.text("feature") + $0.text("name")
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `each migration is applied once and in order, also when some were there before`(
        engine: SQLEngine
    ) async throws {
        try await TestDatabase.with(engine, migrations: [first]) { database in
            for _ in 0..<3 { try await database.migrate([other, first, second]) }
            let recorded = try await names(database)
            #expect(recorded == ["a0001", "a0002", "b0001"])
            let count = try await database.read { try $0.rows("SELECT COUNT(*) AS n FROM one")[0].int("n") }
            #expect(count == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `ten nodes that start at once migrate once`(engine: SQLEngine) async throws {
        try await TestDatabase.withURL(engine) { url in
            let steps = (0..<10).map { number in
                SQLMigration(feature: "f", name: "\(number)", sql: "CREATE TABLE t\(number) (id BIGINT)")
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        let database = try await SQLDatabaseURL.open(url)
                        defer { database.close() }
                        try await database.migrate(steps)
                    }
                }
                try await group.waitForAll()
            }
            let database = try await SQLDatabaseURL.open(url)
            let recorded = try await names(database)
            #expect(recorded == (0..<10).map { "f\($0)" })
            database.close()
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `history that was edited, reordered or is newer is a clear error`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: [first, second]) { database in
            let edited = SQLMigration(feature: "a", name: "0001", sql: first.sql + " ")
            let late = SQLMigration(feature: "a", name: "0000", sql: "SELECT 1")
            await expectError(.migrationChanged) { try await database.migrate([edited, second]) }
            await expectError(.migrationChanged) { try await database.migrate([late, first, second]) }
            await expectError(.migrationChanged) { try await database.migrate([second, first]) }
            await expectError(.migrationUnknown) { try await database.migrate([first]) }
            try await database.migrate([first, second])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `whether a schema is up to date can be asked without changing it`(engine: SQLEngine) async throws {
        try await TestDatabase.withURL(engine) { url in
            let database = try await SQLDatabaseURL.open(url)
            defer { database.close() }
            #expect(try await database.isMigrated([first]) == false)
            try await database.migrate([first])
            #expect(try await database.isMigrated([first]))
            #expect(try await database.isMigrated([first, second]) == false)
            #expect(try await database.isMigrated([first, other]) == false)
            #expect(try await names(database) == ["a0001"])
            let edited = SQLMigration(feature: "a", name: "0001", sql: first.sql + " ")
            await expectError(.migrationChanged) { try await database.isMigrated([edited]) }
            try await database.migrate([first, second])
            await expectError(.migrationUnknown) { try await database.isMigrated([first]) }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a migration that fails leaves the schema as it was and is named`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: [first]) { database in
            let broken = SQLMigration(
                feature: "a", name: "0003",
                sql: "CREATE TABLE half (id BIGINT); CREATE TABLE half (id BIGINT);")
            do {
                try await database.migrate([first, second, broken])
                Issue.record("A broken migration was applied.")
            } catch {
                #expect("\(error)".contains("a/0003"))
            }
            let recorded = try await names(database)
            #expect(recorded == ["a0001"])
            await expectError(.invalidStatement) {
                try await database.read { try $0.rows("SELECT * FROM half") }
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a schema that changes under a prepared statement does not break it`(engine: SQLEngine) async throws
    {
        try await TestDatabase.with(engine, migrations: [first]) { database in
            let names = { @Sendable () async throws in
                try await database.write { connection in
                    try connection.execute("INSERT INTO one (id) SELECT COUNT(*) FROM one")
                    return try connection.rows("SELECT * FROM one LIMIT 1")[0].columnNames
                }
            }
            let readNames = { @Sendable () async throws in
                // Often enough to use every connection of the readers.
                var seen: Set<[String]> = []
                for _ in 0..<50 {
                    seen.insert(
                        try await database.read { try $0.rows("SELECT * FROM one LIMIT 1")[0].columnNames })
                }
                return seen
            }
            let before = try await names()
            let readBefore = try await readNames()
            let wider = SQLMigration(feature: "a", name: "0002", sql: "ALTER TABLE one ADD COLUMN extra TEXT")
            try await database.migrate([first, wider])
            let after = try await names()
            let readAfter = try await readNames()
            #expect(readBefore == [["id"]])
            #expect(readAfter == [["id", "extra"]])
            #expect(before == ["id"])
            #expect(after == ["id", "extra"])
        }
    }
}
