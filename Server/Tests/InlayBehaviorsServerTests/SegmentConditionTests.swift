import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import Testing

@testable import InlayBehaviorsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests of the storage of conditions, and of the environment to which they are limited.
@Suite struct SegmentConditionTests {
    /// A condition whose SQL has an `OR`. Without parentheses around it, rows of other environments would match.
    private struct AnyEvent: AudienceCondition {
        struct Definition: Codable {}

        let kind = "anyEvent"
        let label = "did anything"
        let oppositeLabel = "did nothing"

        func fields(in audience: AudienceContext) -> [AudienceField] { [] }
        func values(of definition: Definition) -> [String: String] { [:] }
        func definition(from values: [String: String]) -> Definition { Definition() }
        func users(_ definition: Definition, in audience: AudienceContext) -> AudienceQuery {
            AudienceQuery(from: "behavior_events", where: "code = ? OR code <> ?", [.int(16), .int(16)])
        }
    }

    private static let moment = Timestamp(microseconds: 1_772_366_400_000_000)

    /// Runs the body with the users Ada and Maya in both environments, and with events: Maya and an anonymous user
    /// bought in `env`, Ada in `other`.
    private func with(_ engine: SQLEngine, _ body: (any SQLDatabase) async throws -> Void) async throws {
        try await TestDatabase.with(engine, migrations: ContactTests.migrations) { database in
            try await database.write { connection in
                for environment in ["env", "other"] as [EnvironmentID] {
                    _ = try UserStore.ensure(
                        environment, ["ada", "maya"] as [UserID], at: Self.moment, in: connection)
                }
                for (environment, user) in [("env", "'maya'"), ("env", "NULL"), ("other", "'ada'")] {
                    try connection.execute(
                        """
                        INSERT INTO behavior_events (environment_id, user_id, code, name, happened_at, received_at,
                            attributes) VALUES ('\(environment)', \(user), 16, 'Buy', ?, ?, '{}')
                        """, [.moment(Self.moment), .moment(Self.moment)])
                }
            }
            try await body(database)
        }
    }

    private func store(
        _ database: any SQLDatabase, _ conditions: [any AudienceCondition]? = nil
    ) -> SegmentStore {
        guard let conditions else { return SegmentStore(database: database, now: { Self.moment }) }
        return SegmentStore(
            database: database, now: { Self.moment }, conditions: AudienceConditions(conditions))
    }

    @Test(arguments: SQLEngine.allCases)
    func `segments that were stored before features contributed conditions mean the same users`(
        _ engine: SQLEngine
    ) async throws {
        let stored: [(id: SegmentID, definition: String, users: [UserID])] = [
            (
                "did",
                #"{"conditions":[{"event":{"atLeast":1,"code":16,"days":7,"name":"Buy"}}],"matchesAny":false}"#,
                ["maya"]
            ),
            (
                "did-not",
                #"{"conditions":[{"event":{"atLeast":1,"code":16,"days":7},"isNot":true}],"matchesAny":false}"#,
                ["ada"]
            ),
            (
                "list",
                """
                {"conditions":[{"contact":{"column":"City","comparison":"equals","list":10001,"value":"Oslo"}},\
                {"event":{"atLeast":1,"code":17,"days":7}}],"matchesAny":true}
                """, ["ada"]
            ),
        ]
        try await with(engine) { database in
            let contacts = ContactStore(database: database, now: { Self.moment })
            let list = try await contacts.createDatabase(
                "env", name: "L", columns: ContactStore.standardColumns + [ContactColumn("City")])
            #expect(list.id == 10_001)
            let values = ["Email": "a@x.example", "Mobile User Id": "ada", "City": "Oslo"]
            try await contacts.save("env", list.id, values: values)
            try await database.write { connection in
                for segment in stored {
                    try connection.execute(
                        """
                        INSERT INTO segments (environment_id, id, name, definition, created_at, updated_at)
                        VALUES ('env', ?, 'S', ?, 0, 0)
                        """, [.id(segment.id), .text(segment.definition)])
                }
            }
            let segments = store(database)
            for segment in stored {
                #expect(try await segments.users("env", segment.id) == segment.users, "\(segment.id)")
                let rule = try #require(try await segments.segment("env", segment.id)).rule
                #expect(try JSONColumn.text(rule) == segment.definition)
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func
        `a condition finds no users of another environment, and an anonymous user does not empty its opposite`(
            _ engine: SQLEngine
        ) async throws
    {
        try await with(engine) { database in
            let segments = store(database, [AnyEvent()])
            func users(isNot: Bool) async throws -> [UserID] {
                let rule = SegmentRule([SegmentCondition(kind: "anyEvent", [:], isNot: isNot)])
                return try await segments.users("env", segments.save("env", name: "S", rule).id)
            }
            let (found, others) = (try await users(isNot: false), try await users(isNot: true))
            #expect(found == ["maya"] && others == ["ada"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a segment with a condition that no feature has any more is empty, also with its opposite`(
        _ engine: SQLEngine
    ) async throws {
        try await with(engine) { database in
            let before = store(database, [AnyEvent()]), after = store(database)
            for isNot in [false, true] {
                let rule = SegmentRule([SegmentCondition(kind: "anyEvent", [:], isNot: isNot)])
                let id = try await before.save("env", name: "S", rule).id
                #expect(try await before.users("env", id).count == 1)
                #expect(try await after.users("env", id).isEmpty)
                #expect(try await after.segment("env", id)?.rule == rule)
                let contains = try await database.read {
                    try after.contains("env", segment: id, user: isNot ? "ada" : "maya", in: $0)
                }
                #expect(!contains)
                await #expect(throws: Problem.self) { try await after.save("env", name: "S", rule) }
            }
        }
    }

    private func store(
        _ segments: [(id: String, definition: String)], in database: any SQLDatabase
    ) async throws {
        try await database.write { connection in
            for segment in segments {
                try connection.execute(
                    """
                    INSERT INTO segments (environment_id, id, name, definition, created_at, updated_at)
                    VALUES ('env', ?, 'S', ?, 0, 0)
                    """, [.text(segment.id), .text(segment.definition)])
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an unreadable segment is listed as such, matches no users, and does not affect the others`(
        _ engine: SQLEngine
    ) async throws {
        let event = #"{"event":{"atLeast":1,"code":16,"days":7}}"#
        let unreadable = [
            ("two-kinds", #"{"conditions":[\#(event),{"contact":{},"event":{}}],"matchesAny":true}"#),
            ("no-json", "nonsense"), ("no-rule", "{}"),
            ("bad-event", #"{"conditions":[{"event":{"code":"x"}}],"matchesAny":false}"#),
            ("unknown", #"{"conditions":[{"weather":{},"isNot":true}],"matchesAny":false}"#),
        ]
        try await with(engine) { database in
            let segments = store(database)
            try await store(
                unreadable + [("good", #"{"conditions":[\#(event)],"matchesAny":false}"#)], in: database)
            let all = try await segments.segments("env")
            #expect(all.count == 6 && all.filter { segments.isReadable($0.rule) }.map(\.id) == ["good"])
            #expect(try await segments.names("env").count == 6)
            #expect(try await segments.users("env", "good") == ["maya"])
            #expect(try await segments.count("env", segment: "good") == 1)
            for id in unreadable.map({ SegmentID($0.0) }) {
                #expect(try await segments.users("env", id).isEmpty, "\(id)")
                #expect(try await segments.count("env", segment: id) == 0, "\(id)")
                let contains = try await database.read { connection in
                    try ["ada", "maya"].contains {
                        try segments.contains("env", segment: id, user: UserID($0), in: connection)
                    }
                }
                #expect(!contains, "\(id)")
            }
        }
    }

    @Test func `the error for an unknown kind of condition names it and those that are known`() async throws {
        try await with(.sqlite) { database in
            let segments = store(database)
            let rule = SegmentRule([SegmentCondition(kind: "weather", [:])])
            let problem = await #expect(throws: Problem.self) { try await segments.count("env", rule) }
            #expect(problem?.detail?.contains("“weather”. Known: event, contact.") == true)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the limit of segments holds for new ones and not for changes of one`(
        _ engine: SQLEngine
    ) async throws {
        try await with(engine) { database in
            let segments = store(database)
            let rule = SegmentRule([.init(.init(code: 16, days: 7))]), text = try JSONColumn.text(rule)
            try await store((1...500).map { ("s\($0)", text) }, in: database)
            await #expect(throws: Problem.self) { try await segments.save("env", name: "New", rule) }
            try await segments.save("env", id: "s7", name: "Renamed", rule)
            #expect(try await segments.segment("env", "s7")?.name == "Renamed")
            try await segments.save("other", name: "New", rule)
        }
    }

    /// A condition that counts how often its definitions are decoded.
    private struct Counted: AudienceCondition {
        struct Definition: Codable {
            static let decoded = NIOLockedValueBox(0)
            var name: String

            private enum CodingKeys: CodingKey { case name }

            init(from decoder: any Decoder) throws {
                Self.decoded.withLockedValue { $0 += 1 }
                name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
            }
        }

        let kind = "counted"
        let label = "did"
        let oppositeLabel = "did not do"

        func fields(in audience: AudienceContext) -> [AudienceField] { [] }
        func values(of definition: Definition) -> [String: String] { [:] }
        func definition(from values: [String: String]) throws(FieldErrors) -> Definition {
            throw FieldErrors("name", "Not entered here.")
        }
        func users(_ definition: Definition, in audience: AudienceContext) -> AudienceQuery {
            AudienceQuery(from: "behavior_events", where: "name = ?", [.text(definition.name)])
        }
    }

    @Test func `a definition is decoded once per change, and a change counts at once`() async throws {
        try await with(.sqlite) { database in
            let segments = store(database, [Counted()])
            func rule(_ name: String) -> SegmentRule {
                SegmentRule([SegmentCondition(kind: "counted", ["name": .string(name)])])
            }
            func checks() async throws -> [Bool] {
                try await database.read { connection in
                    try (1...3).map { _ in
                        try segments.contains("env", segment: "s", user: "maya", in: connection)
                    }
                }
            }
            try await segments.save("env", id: "s", name: "S", rule("Buy"))
            let saved = Counted.Definition.decoded.withLockedValue { $0 }
            #expect(try await checks() == [true, true, true])
            #expect(try await checks() == [true, true, true])
            #expect(Counted.Definition.decoded.withLockedValue { $0 } == saved + 1)
            // A change by another node, of which this store is not notified.
            let other = try JSONColumn.text(rule("Sell"))
            try await database.write {
                _ = try $0.execute("UPDATE segments SET definition = ?", [.text(other)])
            }
            #expect(try await checks() == [false, false, false])
            #expect(Counted.Definition.decoded.withLockedValue { $0 } == saved + 2)
        }
    }
}
