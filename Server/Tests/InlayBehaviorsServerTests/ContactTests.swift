import Foundation
import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests of the values of columns, CSV files, search and import.
@Suite struct ContactTests {
    static let migrations =
        JobsSchema.migrations + AccountsSchema.migrations + CardsSchema.migrations
        + BehaviorsSchema.migrations

    private func with<R>(
        _ engine: SQLEngine, _ body: (ContactStore) async throws -> R
    ) async throws -> R {
        try await TestDatabase.with(engine, migrations: Self.migrations) { database in
            try await body(ContactStore(database: database, now: { Timestamp(seconds: 1_800_000_000) }))
        }
    }

    @Test(
        arguments: [
            (ContactColumnType.yesNo, "yes", "Yes"), (.yesNo, "NO", "No"), (.yesNo, "true", nil),
            (.numeric, "-3.5", "-3.5"), (.numeric, "1e400", nil), (.numeric, "x", nil),
            (.numeric, "nan", nil), (.numeric, "inf", nil), (.numeric, "0x1A", nil), (.numeric, "0x1p4", nil),
            (.numeric, "1,5", nil), (.numeric, "1٢", nil), (.numeric, " 1e3 ", "1e3"),
            (.numeric, "10.50", "10.50"), (.numeric, "007", "007"), (.numeric, "١٢٫٥", "12.5"),
            (.numeric, "３", "3"),
            (.date, "2014-06-10", "2014-06-10"), (.date, "6/10/2014", "2014-06-10"),
            (.date, "06/10/2014 11:12:13", "2014-06-10"), (.date, "2014-02-30", nil), (.date, "soon", nil),
            (.date, "2014-06-10T01:02:03+05:00", "2014-06-10"),
            (.date, "2014-06-10T01:02:03-05:00", "2014-06-10"),
            (.time, "07:05", "07:05:00"), (.time, "23:59:59", "23:59:59"), (.time, "24:00", nil),
            (.timestamp, "2014-06-10T01:02:03.004Z", "2014-06-10T01:02:03.004Z"),
            (.timestamp, "06/10/2014 01:02:03", "2014-06-10T01:02:03.000Z"), (.timestamp, "1", nil),
            (.email, "a@b.example", "a@b.example"), (.email, "a@b", nil), (.email, "a b@c.d", nil),
            (.text, String(repeating: "x", count: 3_999), String(repeating: "x", count: 3_999)),
            (.text, String(repeating: "x", count: 4_000), nil), (.text, "a\u{0}b", nil),
            (.text, String(repeating: "e\u{301}", count: 2_000), nil),
            (.text, "a\u{7}b", nil),
            (.selectOne, "RED", "Red"), (.selectOne, "Green", nil), (.multiSelect, "blue; Red", "Blue;Red"),
            (.multiSelect, "Red;Green", nil), (.country, "Norway", "Norway"), (.phone, "+47 1", "+47 1"),
        ] as [(ContactColumnType, String, String?)])
    func `a value is stored in the form of its column's type, or refused`(
        _ type: ContactColumnType, _ text: String, _ kept: String?
    ) throws {
        let column = ContactColumn(
            "C", type, choices: [.selectOne, .multiSelect].contains(type) ? ["Red", "Blue"] : [])
        #expect((try? ContactValue(text, for: column).text) == kept)
        #expect(try ContactValue("", for: column).text == "")
    }

    @Test(arguments: SQLEngine.allCases)
    func `a value of one character with thousands of combining marks is stored and found`(
        _ engine: SQLEngine
    ) async throws {
        try await with(engine) { store in
            let list = try await store.createDatabase(
                "e", name: "L", columns: [ContactColumn("Note", isKey: true)])
            // Marks in no order that PostgreSQL could compress for its index.
            var random = SeededRandom(seed: 1)
            let marks = (0..<3_900).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0x300...0x36F, using: &random)).map(Character.init)
            }
            let note = "e" + String(marks)
            #expect(ContactValue.folded(note).utf8.count < 1_200)
            let id = try await store.save("e", list.id, values: ["Note": note])
            #expect(try await store.save("e", list.id, values: ["Note": note]) == id)
            #expect(try await store.recipient("e", id)?.values["Note"] == note)
        }
    }

    @Test(arguments: ["0x1A", "inf", "1,5", "1٢"])
    func `an invalid number is refused with the reason`(_ typed: String) {
        let error = #expect(throws: ContactValue.InvalidValue.self) {
            try ContactValue(typed, for: ContactColumn("Age", .numeric))
        }
        #expect(error?.reason == "Age: a number in decimal digits of one script, such as 12.5 or 1e3.")
    }

    @Test func `quoted cells, line breaks in them and broken lines are read by RFC 4180`() throws {
        let text =
            "a,b\r\n\"x, \"\"y\"\"\",\"two\nlines\"\r\n\nplain,\n1\"2,3\n\"a\"b,c\nlast,\"never closed\nfine,ok"
        let records = try Array(CSVReader(Array(text.utf8)))
        #expect(
            records == [
                .cells(["a", "b"], line: 1), .cells(["x, \"y\"", "two\nlines"], line: 2),
                .cells(["plain", ""], line: 5),
                .broken(line: 6, reason: "a quote inside of a cell that does not begin with one"),
                .broken(line: 7, reason: "text after a closing quote"),
                .broken(line: 8, reason: "a quote is never closed"), .cells(["fine", "ok"], line: 9),
            ])
        #expect(
            try Array(CSVReader(Array("a;b\n1,5;2".utf8))) == [
                .cells(["a", "b"], line: 1), .cells(["1,5", "2"], line: 2),
            ])
        #expect(
            try Array(CSVReader([0xEF, 0xBB, 0xBF] + Array("a\n".utf8) + [0xFF])).last
                == .broken(line: 2, reason: "it is not UTF-8"))
        #expect(try Array(CSVReader([])).isEmpty)
    }

    @Test(arguments: SQLEngine.allCases)
    func `a file is imported and only its broken lines are left out, by number`(_ engine: SQLEngine)
        async throws
    {
        try await with(engine) { store in
            let list = try await store.createDatabase(
                "e", name: "L", columns: ContactStore.standardColumns + [ContactColumn("Age", .numeric)])
            var lines = ["Email,age", "a@x.example,1", "b@x.example,old", "c@x.example,1,2", ",5", "d\"@x,1"]
            lines += (0..<450).map { "n\($0)@x.example,\($0)" } + ["A@x.example,7", "nobody,1"]
            let result = try await store.importCSV("e", list.id, Array(lines.joined(separator: "\n").utf8))
            #expect(result.added == 451 && result.updated == 1 && result.failed == 5)
            #expect(result.faults.map(\.line) == [3, 4, 5, 6, 458])
            #expect(result.faults[0].reason.contains("Age") && result.faults[1].reason.contains("3 values,"))
            let page = try await store.recipients("e", list.id, search: "a@X.ex")
            #expect(page.recipients.map { $0.values } == [["Email": "A@x.example", "Age": "7"]])
            for bad in ["", "Email,Nope\n", "Email,email\n"] {
                await #expect(throws: Problem.self) {
                    try await store.importCSV("e", list.id, Array(bad.utf8))
                }
            }
            await #expect(throws: Problem.self) {
                try await store.importCSV("other", list.id, Array("Email\n".utf8))
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a check of a file counts each key once, and reads on the analytics connections`(_ engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(engine, migrations: Self.migrations) { plain in
            let database = RecordingDatabase(plain)
            let store = ContactStore(database: database, now: { Timestamp(seconds: 1_800_000_000) })
            let columns = [
                ContactColumn("Email", .email, isKey: true), ContactColumn("Town", isKey: true),
            ]
            let list = try await store.createDatabase("e", name: "L", columns: columns)
            try await store.save("e", list.id, values: ["Email": "n0@x.example", "Town": "Oslo"])
            // A batch has 200 lines. Keys are repeated in the same batch and, in capitals, in a later one.
            var lines = ["Email,Town"] + (0..<450).map { "n\($0)@x.example,Oslo" }
            lines += [
                "n1@x.example,Bergen", "N1@x.example,OSLO", "n449@x.example,oslo", "nobody,Oslo",
                "n2@x.example,",
            ]
            let file = Array(lines.joined(separator: "\n").utf8)
            database.clearStatements()
            let result = try await store.checkCSV("e", list.id, file)
            #expect(result.added == 450 && result.updated == 3)
            #expect(result.failed == 2 && result.faults.map(\.line) == [455, 456])
            let lookups = database.statements.filter { $0.sql.contains("FROM recipient_values") }
            // One lookup for each key of the file, whose result is reused.
            #expect(lookups.count == 451 && lookups.allSatisfy { $0.access == .analytics })
            #expect(!database.statements.contains { $0.access == .write })
            let imported = try await store.importCSV("e", list.id, file)
            #expect(imported == result)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `contacts are listed in pieces and found by any value`(_ engine: SQLEngine) async throws {
        try await with(engine) { store in
            let list = try await store.createDatabase("e", name: "L")
            for number in 0..<25 {
                try await store.save(
                    "e", list.id, values: ["Email": "u\(number)@x.example", "Mobile User Id": "m\(number)"])
            }
            var seen: [Int64] = []
            var after: Int64? = 0
            while let start = after {
                let page = try await store.recipients("e", list.id, after: start, limit: 10)
                seen += page.recipients.map(\.id)
                after = page.next
            }
            #expect(seen.count == 25 && seen == seen.sorted())
            let found = try await store.recipients("e", list.id, search: "M7").recipients
            #expect(found.map(\.userID) == ["m7"])
            #expect(try await store.recipients("e", list.id, search: "%").recipients.isEmpty)
            try await store.setOptedOut("e", seen[0], true)
            #expect(try await store.recipient("e", seen[0])?.optedOutAt != nil)
            try await store.setOptedOut("e", seen[0], false)
            #expect(try await store.recipient("e", seen[0])?.optedOutAt == nil)
            try await store.remove("e", seen[0])
            #expect(try await store.lists("e").map(\.size) == [24])
            #expect(try await store.recipient("other", seen[1]) == nil)
            await #expect(throws: Problem.self) { try await store.remove("other", seen[1]) }
            try await store.removeList("e", list.id)
            #expect(try await store.lists("e").isEmpty)
            #expect(try await store.recipient("e", seen[1]) == nil)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a large list is removed in pieces, with its members and rows, and no other list`(
        _ engine: SQLEngine
    ) async throws {
        try await TestDatabase.with(engine, migrations: Self.migrations) { plain in
            let database = RowCountingDatabase(plain)
            let store = ContactStore(database: database, now: { Timestamp(seconds: 1_800_000_000) })
            let large = try await store.createDatabase("e", name: "Large")
            let part = try await store.createContactList("e", name: "Part", of: large.id)
            let table = try await store.createTable(
                "e", name: "Table", columns: [ContactColumn("Key", isKey: true)])
            let other = try await store.createDatabase("e", name: "Other")
            try await store.save("e", other.id, values: ["Email": "a@x.example"])
            let numbers = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5001)"
            let tables = [
                """
                INSERT INTO recipients (environment_id, list_id, id, created_from, created_at, updated_at)
                \(numbers) SELECT 'e', \(large.id), 2000000 + x, 1, 0, 0 FROM n WHERE x <= 501
                """,
                """
                INSERT INTO recipient_values (environment_id, list_id, recipient_id, column_key, value, folded)
                \(numbers) SELECT 'e', \(large.id), 2000000 + x, 'email', 'v' || x, 'v' || x FROM n WHERE x <= 501
                """,
                """
                INSERT INTO contact_members (environment_id, list_id, recipient_id)
                \(numbers) SELECT 'e', \(part.id), 2000000 + x FROM n
                """,
                """
                INSERT INTO relational_rows (environment_id, table_id, row_key, cells, updated_at)
                \(numbers) SELECT 'e', \(table.id), 'k' || x, '{}', 0 FROM n
                """,
            ]
            try await plain.write { connection in for sql in tables { try connection.execute(sql) } }
            for list in [table, part, large] {
                try await store.emptyList("e", list)
                try await store.removeList("e", list.id)
            }
            #expect(database.changed.withLockedValue { $0.max() } == 5_000)
            #expect(try await store.lists("e").map(\.size) == [1])
            for name in ["recipients", "recipient_values", "contact_members", "relational_rows"] {
                let left = try await plain.read {
                    try $0.rows("SELECT COUNT(*) AS n FROM \(name)")[0].int("n")
                }
                #expect(left == (name.hasPrefix("recipient") ? 1 : 0), "\(name)")
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a column is added once, and names and defaults are checked`(_ engine: SQLEngine) async throws {
        try await with(engine) { store in
            let list = try await store.createDatabase("e", name: "L")
            try await store.addColumn("e", list.id, ContactColumn("Size", .numeric, defaultValue: "3"))
            try await store.addColumn("e", list.id, ContactColumn("size", .numeric))
            let id = try await store.save("e", list.id, values: ["Email": "a@x.example"])
            #expect(try await store.recipient("e", id)?.values["Size"] == "3")
            for column in [
                ContactColumn("Size", .text), ContactColumn(""),
                ContactColumn("A", .numeric, defaultValue: "x"),
                ContactColumn("a\u{1}b"), ContactColumn(String(repeating: "x", count: 300)),
            ] { await #expect(throws: Problem.self) { try await store.addColumn("e", list.id, column) } }
            #expect(try await store.list("e", list.id)?.columns.count == 3)
        }
    }
}
