import Foundation
import InlaySQL
import InlaySQLTesting
import Testing

/// Values written and read back, on both engines.
@Suite struct ValueTests {
    static let schema = SQLMigration(
        feature: "values", name: "0001",
        sql: "CREATE TABLE items (id TEXT PRIMARY KEY, i BIGINT, d DOUBLE PRECISION, t TEXT, b BLOB)")

    @Test(arguments: SQLEngine.allCases)
    func `every value comes back as it went in`(engine: SQLEngine) async throws {
        let rows: [[SQLValue]] = [
            ["null", .null, .null, .null, .null],
            ["least", .integer(.min), .real(-.greatestFiniteMagnitude), "", .blob(Data())],
            ["most", .integer(.max), .real(.greatestFiniteMagnitude), "x", .blob(Data(0...255))],
            ["zero", 0, .real(0), "0", .blob(Data([0]))],
            ["fine", 1, .real(0.1 + 0.2), "1.0", .blob(Data("text".utf8))],
            ["small", -1, .real(.leastNonzeroMagnitude), "NULL", .blob(Data([0x5c, 0x78]))],
            ["endless", 1, .real(.infinity), "é e\u{301} 😀 👩‍👩‍👧 \u{FFFF} \n\r\t", .blob(Data(count: 100_000))],
        ]
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            for row in rows {
                try await database.write { try $0.execute("INSERT INTO items VALUES (?, ?, ?, ?, ?)", row) }
            }
            let found = try await database.read { connection in
                try connection.rows("SELECT id, i, d, t, b FROM items").map { row in
                    try ["id", "i", "d", "t", "b"].map(row.value)
                }
            }
            #expect(Set(found) == Set(rows))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a value keeps its kind without a column that declares it`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine) { database in
            let row = try #require(
                try await database.read { connection in
                    try connection.row(
                        "SELECT ? AS i, ? AS d, ? AS t, ? AS b, ? + 1 AS sum",
                        [5, 1.5, "5", .blob(Data([1])), .integer(1 << 40)])
                })
            #expect(try row.value("i") == .integer(5))
            #expect(try row.value("d") == .real(1.5))
            #expect(try row.value("t") == .text("5"))
            #expect(try row.value("b") == .blob(Data([1])))
            #expect(try row.value("sum") == .integer((1 << 40) + 1))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `counts, sums and averages have the same kinds on both engines`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            try await database.write { connection in
                try connection.execute("INSERT INTO items (id, i) VALUES ('a', 1), ('b', 2)")
            }
            let row = try #require(
                try await database.read {
                    try $0.row(
                        "SELECT COUNT(*) AS n, SUM(i) AS s, AVG(i) AS a, MAX(i) AS m, SUM(d) AS none FROM items"
                    )
                })
            #expect(try row.int("n") == 2)
            #expect(try row.value("s") == .integer(3))
            #expect(try row.value("a") == .real(1.5))
            #expect(try row.int64("m") == 2)
            #expect(try row.optionalReal("none") == nil)
        }
    }

    @Test(
        arguments: SQLEngine.allCases,
        [
            "'; DROP TABLE items; --", "\\'; DROP TABLE items; --", "\" OR 1=1 --", "?", "$1",
            "' || (SELECT 1) || '",
            "/* */", "%_\\", "\u{2019}; DELETE FROM items", "{\"a\":\"'\"}", "E'\\x27'", "\u{202E}txt",
        ])
    func `SQL in a string is only a string`(engine: SQLEngine, text: String) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            let found = try await database.write { connection in
                try connection.execute(
                    "INSERT INTO items (id, t, b) VALUES (?, ?, ?)",
                    ["k", .text(text), .blob(Data(text.utf8))])
                try connection.execute(
                    "UPDATE items SET t = ? WHERE t = ?", [.text(text + text), .text(text)])
                return try connection.rows("SELECT t, b FROM items WHERE t = ?", [.text(text + text)])
            }
            #expect(try found.map { try $0.text("t") } == [text + text])
            #expect(try found.map { try $0.blob("b") } == [Data(text.utf8)])
        }
    }

    @Test(arguments: SQLEngine.allCases, [SQLValue.text("a\0b"), .real(.nan)])
    func `a value that one engine cannot store is refused by both`(engine: SQLEngine, value: SQLValue)
        async throws
    {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            await expectError(.invalidValue) {
                try await database.write {
                    try $0.execute("INSERT INTO items (id, t) VALUES ('a', ?)", [value])
                }
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `text sorts by bytes and LIKE is case-sensitive`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            let (order, like) = try await database.write { connection in
                try connection.execute("INSERT INTO items (id) VALUES ('b'), ('B'), ('a'), ('é'), ('_')")
                return (
                    try connection.rows("SELECT id FROM items ORDER BY id").map { try $0.text("id") },
                    try connection.rows("SELECT id FROM items WHERE id LIKE ?", ["b%"]).map {
                        try $0.text("id")
                    }
                )
            }
            #expect(order == ["B", "_", "a", "b", "é"])
            #expect(like == ["b"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a row that is not as expected throws and names the column`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine) { database in
            let row = try #require(try await database.read { try $0.row("SELECT 'x' AS t, NULL AS n") })
            #expect { try row.int("t") } throws: { "\($0)".contains("Column t holds a text") }
            #expect { try row.text("n") } throws: { "\($0)".contains("Column n is NULL") }
            #expect { try row.text("missing") } throws: { "\($0)".contains("no column missing") }
        }
    }
}
