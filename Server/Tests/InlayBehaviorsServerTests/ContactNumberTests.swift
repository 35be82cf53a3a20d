import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests that numbers of contacts are stored as they were written and found by their value.
@Suite struct ContactNumberTests {
    private struct Fixture: Sendable {
        let database: any SQLDatabase
        let contacts: ContactStore
        let segments: SegmentStore

        init(_ database: any SQLDatabase) {
            let now: @Sendable () -> Timestamp = { Timestamp(seconds: 1_800_000_000) }
            self.database = database
            contacts = ContactStore(database: database, now: now)
            segments = SegmentStore(database: database, now: now)
        }

        /// Creates a list of users with one number each. A user's id is the number as it was written.
        func list(_ written: [String]) async throws -> ContactList {
            let columns = ContactStore.standardColumns + [ContactColumn("Price", .numeric)]
            let list = try await contacts.createDatabase("e", name: "L", columns: columns)
            for (index, text) in written.enumerated() {
                try await contacts.save(
                    "e", list.id,
                    values: ["Email": "n\(index)@x.example", "Mobile User Id": text, "Price": text])
            }
            try await database.write {
                try UserStore.ensure(
                    "e", written.map { UserID($0) }, at: Timestamp(seconds: 1_800_000_000), in: $0)
            }
            return list
        }

        func users(
            _ list: ContactList, _ comparison: ContactCondition.Comparison, _ value: String
        ) async throws -> Set<String> {
            let rule = SegmentRule([.init(.init(list: list.id, column: "Price", comparison, value))])
            let segment = try await segments.save("e", id: "s", name: "S", rule)
            return Set(try await segments.users("e", segment.id).map(\.rawValue))
        }
    }

    private func with<R>(_ engine: SQLEngine, _ body: (Fixture) async throws -> R) async throws -> R {
        try await TestDatabase.with(engine, migrations: ContactTests.migrations) {
            try await body(Fixture($0))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a segment finds a number by its value, however it was written`(_ engine: SQLEngine) async throws {
        try await with(engine) { fixture in
            let written = ["10.50", "10.5", "1e3", "007", "-0.0", "9007199254740993", "9007199254740992"]
            let list = try await fixture.list(written)
            let found: [(String, Set<String>)] = [
                ("10.5", ["10.50", "10.5"]), ("10.50", ["10.50", "10.5"]), ("1.05e1", ["10.50", "10.5"]),
                ("1000", ["1e3"]), ("7", ["007"]), ("٧", ["007"]), ("+7.0", ["007"]), ("0", ["-0.0"]),
                ("9007199254740993", ["9007199254740993"]), ("9007199254740992", ["9007199254740992"]),
                ("10.51", []),
            ]
            for (value, names) in found {
                #expect(try await fixture.users(list, .equals, value) == names, "\(value)")
            }
            #expect(try await fixture.users(list, .lessThan, "10.5") == ["007", "-0.0"])
            #expect(try await fixture.users(list, .greaterThan, "10.50").count == 3)
            // Parts of a number are compared with the number as it was written.
            #expect(try await fixture.users(list, .contains, ".50") == ["10.50"])
            #expect(try await fixture.users(list, .beginsWith, "00") == ["007"])
            #expect(try await fixture.users(list, .beginsWith, "1E") == ["1e3"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a number is stored and searched as it was written`(_ engine: SQLEngine) async throws {
        try await with(engine) { fixture in
            let list = try await fixture.contacts.createDatabase(
                "e", name: "L",
                columns: [ContactColumn("Email", .email, isKey: true), ContactColumn("Price", .numeric)])
            for (name, price) in [("a", "10.50"), ("b", "10.5"), ("c", "1e3"), ("d", "007")] {
                try await fixture.contacts.save(
                    "e", list.id, values: ["Email": "\(name)@x.example", "Price": price])
            }
            for (text, prices) in [
                ("10.5", ["10.50", "10.5"]), ("10.50", ["10.50"]), ("1000", ["1e3"]), ("1E3", ["1e3"]),
                ("007", ["007"]), ("50%", []), ("_07", []),
            ] as [(String, [String])] {
                let page = try await fixture.contacts.recipients("e", list.id, search: text)
                #expect(page.recipients.compactMap { $0.values["Price"] } == prices, "\(text)")
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a number in a contact's key is one key, whatever its spelling`(_ engine: SQLEngine) async throws {
        try await with(engine) { fixture in
            let columns = [ContactColumn("Order", .numeric, isKey: true), ContactColumn("City")]
            let list = try await fixture.contacts.createDatabase("e", name: "L", columns: columns)
            let file = Array(
                """
                Order,City
                007,Oslo
                7,Kiel
                1e3,Rome
                1000.00,Bonn
                9007199254740992,Graz
                9007199254740993,Wien
                """.utf8)
            let check = try await fixture.contacts.checkCSV("e", list.id, file)
            #expect(check.added == 4 && check.updated == 2)
            let result = try await fixture.contacts.importCSV("e", list.id, file)
            #expect(result.added == 4 && result.updated == 2 && result.failed == 0)
            try await fixture.contacts.save("e", list.id, values: ["Order": "7.0", "City": "Lund"])
            let contacts = try await fixture.contacts.recipients("e", list.id).recipients.map(\.values)
            #expect(
                contacts == [
                    ["Order": "7.0", "City": "Lund"], ["Order": "1000.00", "City": "Bonn"],
                    ["Order": "9007199254740992", "City": "Graz"],
                    ["Order": "9007199254740993", "City": "Wien"],
                ])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `numbers that an earlier version stored are found by their value`(_ engine: SQLEngine) async throws {
        let earlier = ContactTests.migrations.prefix { $0.name != "0007-number-keys" }
        #expect(earlier.count < ContactTests.migrations.count)
        try await TestDatabase.with(engine, migrations: Array(earlier)) { database in
            let fixture = Fixture(database)
            let written = [
                "10.50", "10.5", "1e3", "1.5e-3", "007", "-0.50", "+5", ".25", "5.", "0.0", "0x1a",
                "009007199254740993",
            ]
            let list = try await fixture.list(written.map { $0 == "0x1a" ? "26" : $0 })
            // The earlier version stored the value in lower case, whatever the column's type.
            try await database.write { connection in
                try connection.execute("UPDATE recipient_values SET folded = LOWER(value)")
                try connection.execute(
                    "UPDATE recipient_values SET value = '0x1A', folded = '0x1a' WHERE column_key = 'price' AND value = '26'"
                )
            }
            #expect(try await fixture.users(list, .equals, "10.50") == ["10.5"])
            try await database.migrate(ContactTests.migrations)
            let found: [(String, Set<String>)] = [
                ("10.5", ["10.50", "10.5"]), ("1000", ["1e3"]), ("0.0015", ["1.5e-3"]), ("7", ["007"]),
                ("-0.5", ["-0.50"]), ("5", ["+5", "5."]), ("0.25", [".25"]), ("0", ["0.0"]),
                ("9007199254740993", ["009007199254740993"]),
            ]
            for (value, names) in found {
                #expect(try await fixture.users(list, .equals, value) == names, "\(value)")
            }
            // The migration changed only the keys of numeric columns.
            let texts = try await database.read {
                try $0.rows("SELECT value, folded FROM recipient_values WHERE column_key <> 'price'")
                    .map { (try $0.text("value"), try $0.text("folded")) }
            }
            #expect(texts.count == 2 * written.count && texts.allSatisfy { $0.0.lowercased() == $0.1 })
            let kept = try await fixture.contacts.recipients("e", list.id).recipients.compactMap {
                $0.values["Price"]
            }
            #expect(kept == written.map { $0 == "0x1a" ? "0x1A" : $0 })
        }
    }
}
