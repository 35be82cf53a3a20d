import InlaySQL
import InlaySQLTesting
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// Statements made of named columns.
@Suite(.timeLimit(.minutes(3))) struct RecordColumnsTests {
    private struct Berth: Equatable {
        let pier: String
        let number: Int
        let ship: String?

        static let columns = RecordColumns<Berth>(
            of: "berths",
            onConflict: .update(
                key: ["pier", "number"], columns: ["ship"], also: ["calls = berths.calls + 1"]),
            [
                RecordColumn("pier") { .text($0.pier) },
                RecordColumn("number") { .int($0.number) },
                RecordColumn("ship") { SQLValue($0.ship) },
            ])

        init(_ pier: String, _ number: Int, _ ship: String?) {
            (self.pier, self.number, self.ship) = (pier, number, ship)
        }

        init(_ row: SQLRow) throws {
            self.init(try row.text("pier"), try row.int("number"), try row.optionalText("ship"))
        }
    }

    private func run(
        _ engine: SQLEngine, _ body: @escaping @Sendable (any SQLConnection) throws -> Void
    ) async throws {
        try await TestApp.run(engine) { app in
            _ = try await app.services.database.write { connection in
                try connection.execute(
                    """
                    CREATE TABLE berths (pier TEXT NOT NULL, number BIGINT NOT NULL, ship TEXT,
                        calls BIGINT NOT NULL DEFAULT 1, PRIMARY KEY (pier, number))
                    """)
                try body(connection)
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a record is added, replaced by its key and read by one list of columns`(
        _ engine: SQLEngine
    ) async throws {
        try await run(engine) { connection in
            try Berth.columns.insert(Berth("north", 1, "Ada"), in: connection)
            try Berth.columns.insert(Berth("north", 2, nil), in: connection)
            #expect(try Berth.columns.insert(Berth("north", 1, "Bo"), in: connection) == 1)
            let rows = try connection.rows("SELECT \(Berth.columns.list) FROM berths ORDER BY number")
            #expect(try rows.map(Berth.init) == [Berth("north", 1, "Bo"), Berth("north", 2, nil)])
            let calls = try connection.rows("SELECT calls FROM berths ORDER BY number").map {
                try $0.int("calls")
            }
            #expect(calls == [2, 1])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `named values add a row once and change the rows of their key only`(_ engine: SQLEngine) async throws
    {
        try await run(engine) { connection in
            let row: NamedValues = ["pier": "north", "number": 1, "ship": nil]
            let rule = InsertConflict.ignore(key: ["pier", "number"])
            #expect(try connection.insert(into: "berths", row, onConflict: rule) == 1)
            #expect(try connection.insert(into: "berths", row, onConflict: rule) == 0)
            try connection.insert(into: "berths", ["pier": "south", "number": 1])
            let key: NamedValues = ["pier": "north", "number": 1]
            #expect(
                try connection.update(
                    "berths", set: ["ship": "Ada"], also: ["calls = calls + 1"], where: key,
                    and: "ship IS NULL") == 1)
            #expect(
                try connection.update("berths", set: ["ship": "Bo"], where: key, and: "ship IS NULL") == 0)
            let rows = try connection.rows("SELECT ship, calls FROM berths ORDER BY pier")
            #expect(try rows.map { try $0.optionalText("ship") } == ["Ada", nil])
            #expect(try rows.map { try $0.int("calls") } == [2, 1])
        }
    }
}
