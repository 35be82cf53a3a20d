import Foundation
import InlaySQL
import InlaySQLTesting
import Testing

private struct OwnError: Error, Equatable { let number: Int }

/// Write transactions: what the bodies of a shared transaction have in common, and what each has for itself.
@Suite struct WriteTests {
    static let schema = SQLMigration(
        feature: "writes", name: "0001",
        sql: """
            CREATE TABLE parents (id BIGINT PRIMARY KEY);
            CREATE TABLE items (
                seq INTEGER PRIMARY KEY AUTOINCREMENT, id BIGINT UNIQUE, parent BIGINT REFERENCES parents (id),
                t TEXT NOT NULL DEFAULT '', CHECK (t <> 'bad'));
            """)

    private func ids(_ database: any SQLDatabase) async throws -> [Int] {
        try await database.read { try $0.rows("SELECT id FROM items ORDER BY seq").map { try $0.int("id") } }
    }

    @Test(arguments: SQLEngine.allCases)
    func `1,000 concurrent writers are all written and each gets its own answer`(engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            let answers = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for number in 0..<1_000 {
                    group.addTask {
                        let stored = try await database.write { connection in
                            try connection.rows(
                                "INSERT INTO items (id) VALUES (?) RETURNING id", [.int(number)])[0].int("id")
                        }
                        return (number, stored)
                    }
                }
                return try await group.reduce(into: [Int: Int]()) { $0[$1.0] = $1.1 }
            }
            #expect(answers.count == 1_000)
            #expect(answers.allSatisfy { $0.key == $0.value })
            let stored = try await Set(ids(database))
            #expect(stored == Set(0..<1_000))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a body that throws is rolled back alone and gets its own error`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            let failed = await withTaskGroup(of: Int?.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        do {
                            try await database.write { connection in
                                try connection.execute("INSERT INTO items (id) VALUES (?)", [.int(number)])
                                if number.isMultiple(of: 3) { throw OwnError(number: number) }
                            }
                            return nil
                        } catch {
                            return (error as? OwnError)?.number
                        }
                    }
                }
                return await group.reduce(into: Set<Int>()) { if let number = $1 { $0.insert(number) } }
            }
            #expect(failed == Set(stride(from: 0, to: 300, by: 3)))
            let stored = try await Set(ids(database))
            #expect(stored == Set(0..<300).subtracting(failed))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a statement that fails inside a group fails its own body only`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            let kinds = await withTaskGroup(of: SQLError.Kind?.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        do {
                            try await database.write { try $0.execute("INSERT INTO items (id) VALUES (7)") }
                            return nil
                        } catch {
                            return (error as? SQLError)?.kind ?? .other
                        }
                    }
                }
                return await group.reduce(into: [SQLError.Kind?: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(kinds == [nil: 1, .uniqueViolation: 49])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `what the schema refuses has a kind to branch on`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            try await database.write { try $0.execute("INSERT INTO items (id) VALUES (1)") }
            let refused: [(SQLError.Kind, String)] = [
                (.uniqueViolation, "INSERT INTO items (id) VALUES (1)"),
                (.foreignKeyViolation, "INSERT INTO items (id, parent) VALUES (2, 99)"),
                (.constraintViolation, "INSERT INTO items (id, t) VALUES (2, NULL)"),
                (.constraintViolation, "INSERT INTO items (id, t) VALUES (2, 'bad')"),
                (.invalidStatement, "INSERT INTO nowhere (id) VALUES (2)"),
                (.invalidStatement, "SELEC 1"),
            ]
            for (kind, sql) in refused {
                await expectError(kind) { try await database.write { try $0.execute(sql) } }
            }
            let stored = try await ids(database)
            #expect(stored == [1])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `messages do not contain the values of a statement`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            func insert() async throws {
                try await database.write {
                    try $0.execute("INSERT INTO parents VALUES (?)", [.int(314_159)])
                }
            }
            try await insert()
            let refusal = await #expect(throws: SQLError.self) { try await insert() }
            let error = try #require(refusal)
            #expect(error.kind == .uniqueViolation && !"\(error)".contains("314159"), "\(error)")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a body cannot go on after a failed statement`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            await expectError(.uniqueViolation) {
                try await database.write { connection in
                    try connection.execute("INSERT INTO items (id) VALUES (1)")
                    _ = try? connection.execute("INSERT INTO items (id) VALUES (1)")
                    _ = try? connection.execute("INSERT INTO items (id) VALUES (2)")
                }
            }
            let stored = try await ids(database)
            #expect(stored == [])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `execute counts the rows it changed and nothing else`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            let counts = try await database.write { connection in
                [
                    try connection.execute("INSERT INTO items (id) VALUES (1), (2), (3)"),
                    try connection.execute("INSERT INTO items (id) VALUES (1) ON CONFLICT (id) DO NOTHING"),
                    try connection.execute("UPDATE items SET t = 'x' WHERE id > 1"),
                    try connection.execute("SELECT id FROM items"),
                    try connection.execute("DELETE FROM items WHERE id = 9"),
                    try connection.execute("DELETE FROM items"),
                ]
            }
            #expect(counts == [3, 0, 2, 0, 0, 3])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a reader cannot write`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            await expectError(.readOnly) {
                try await database.read { try $0.execute("INSERT INTO items (id) VALUES (1)") }
            }
            let stored = try await ids(database)
            #expect(stored == [])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a reader sees one snapshot while a writer works`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            let (hasRead, hasWritten) = (BlockingLatch(), BlockingLatch())
            async let counts = database.read { connection in
                let before = try connection.rows("SELECT COUNT(*) AS n FROM items")[0].int("n")
                hasRead.open()
                try hasWritten.wait()
                return [before, try connection.rows("SELECT COUNT(*) AS n FROM items")[0].int("n")]
            }
            try await database.write { connection in
                try hasRead.wait()
                try connection.execute("INSERT INTO items (id) VALUES (1)")
            }
            hasWritten.open()
            let seen = try await counts
            #expect(seen == [0, 0])
            let stored = try await ids(database)
            #expect(stored == [1])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a closed database finishes what it was given and refuses the rest`(engine: SQLEngine) async throws {
        try await TestDatabase.withURL(engine) { url in
            let database = try await SQLDatabaseURL.open(url)
            try await database.migrate([Self.schema])
            let mayGoOn = BlockingLatch()
            let (started, start) = AsyncStream.makeStream(of: Void.self)
            async let written: Void = database.write { connection in
                start.yield()
                try mayGoOn.wait()
                try connection.execute("INSERT INTO items (id) VALUES (1)")
            }
            try await first(of: started)
            async let closed: Void = Thread.detached { database.close() }
            mayGoOn.open()
            try await written
            await closed
            await expectError(.closed) { try await database.write { try $0.execute("DELETE FROM items") } }
            await expectError(.closed) { try await database.read { try $0.rows("SELECT 1") } }
            let again = try await SQLDatabaseURL.open(url)
            let stored = try await ids(again)
            #expect(stored == [1])
            again.close()
        }
    }
}

extension Thread {
    /// Runs a blocking body on a thread of its own, and waits for it without blocking the caller's thread.
    static func detached(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { done in
            Thread {
                body()
                done.resume()
            }.start()
        }
    }
}
