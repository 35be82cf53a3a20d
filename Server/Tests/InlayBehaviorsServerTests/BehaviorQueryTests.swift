import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Logging
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests of the Workbench's queries: streams, counts, goals, funnels, campaigns, segments, retention.
@Suite struct BehaviorQueryTests {
    private struct Fixture: Sendable {
        let database: any SQLDatabase
        let time: TestClock
        let intake: EventIntake
        let events: BehaviorStore
        let segments: SegmentStore
        let contacts: ContactStore
        let retention: BehaviorRetention
        let users: UserStore

        init(_ database: any SQLDatabase) {
            let time = TestClock(Timestamp(microseconds: 1_772_366_400_000_000))
            let now: @Sendable () -> Timestamp = { time.now }
            (self.database, self.time) = (database, time)
            intake = EventIntake(database: database, refusals: EventRefusals(database: database), now: now)
            events = BehaviorStore(database: database, now: now)
            segments = SegmentStore(database: database, now: now)
            contacts = ContactStore(database: database, now: now)
            retention = BehaviorRetention(database: database, now: now)
            users = UserStore(database: database, now: now)
        }

        /// Sends events of a user, each `ago` seconds before now.
        func send(
            _ user: UserID, _ events: [(code: String, name: String, ago: Int64)], campaign: String = "",
            extra: [(String, String)] = [], in environment: EnvironmentID = "env"
        ) async throws {
            let list = events.map { event in
                let attribute = event.code == "17" ? "Event Name" : "Goal Name"
                let moment = ContactDateFormat.rfc3339((time.now + .seconds(-event.ago)).microseconds)
                return BehaviorSite.event(
                    UUID().uuidString, event.code, at: moment,
                    [(attribute, event.name), ("Campaign Name", campaign)] + extra)
            }
            let caller = BehaviorCaller(environmentID: environment, userID: user)
            let receipts = try await intake.submit(Data(BehaviorSite.body(list).utf8), from: caller)
            #expect(receipts.allSatisfy { $0.refusal == nil })
        }

        func createUsers(_ ids: [UserID], in environment: EnvironmentID = "env") async throws {
            let moment = time.now
            _ = try await database.write { try UserStore.ensure(environment, ids, at: moment, in: $0) }
        }
    }

    private func with<R>(_ engine: SQLEngine, _ body: (Fixture) async throws -> R) async throws -> R {
        try await TestDatabase.with(engine, migrations: ContactTests.migrations) { database in
            try await body(Fixture(database))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the live stream delivers each event of its environment once`(_ engine: SQLEngine) async throws {
        try await with(engine) { fixture in
            try await fixture.send("ada", [("17", "a", 5), ("17", "b", 4)])
            let first = try await fixture.events.stream("env", since: nil)
            #expect(first.events.map(\.name) == ["a", "b"])
            #expect(try await fixture.events.stream("env", since: first.cursor).events.isEmpty)
            try await fixture.send("bob", [("17", "c", 3)], in: "other")
            try await fixture.send("bob", [("17", "d", 2)])
            let second = try await fixture.events.stream("env", since: first.cursor)
            #expect(second.events.map(\.name) == ["d"] && second.cursor > first.cursor)
            #expect(second.events[0].userID == "bob")
            #expect(second.events[0].attributes.first == EventAttributePair(name: "Event Name", value: "d"))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `events are found by code, name, user, attribute and time`(_ engine: SQLEngine) async throws {
        try await with(engine) { fixture in
            try await fixture.send(
                "ada", [("17", "a", 50), ("16", "g", 40)], extra: [("Pier", "A%_!'"), ("x", "1")])
            try await fixture.send("bob", [("17", "a", 30)], campaign: "Spring", extra: [("Pier", "B")])
            func find(_ change: (inout BehaviorFilter) -> Void) async throws -> [String] {
                var filter = BehaviorFilter()
                change(&filter)
                let found = try await fixture.events.events("env", filter)
                #expect(try await fixture.events.count("env", filter) == found.count)
                return found.map { "\($0.userID?.rawValue ?? "") \($0.name)" }
            }
            #expect(try await find { _ in } == ["bob a", "ada g", "ada a"])
            #expect(try await find { $0.code = 16 } == ["ada g"])
            #expect(try await find { $0.name = "a" } == ["bob a", "ada a"])
            #expect(try await find { $0.userID = "bob" } == ["bob a"])
            #expect(try await find { $0.campaign = "Spring" } == ["bob a"])
            #expect(try await find { $0.attributes = [.init("Pier", "A%_!'")] } == ["ada g", "ada a"])
            #expect(try await find { $0.attributes = [.init("Pier", "A%")] }.isEmpty)
            #expect(try await find { $0.attributes = [.init("x")] } == ["ada g", "ada a"])
            #expect(try await find { $0.attributes = [.init("1")] }.isEmpty)
            #expect(try await find { $0.attributes = [.init("Pier", "B"), .init("x")] }.isEmpty)
            #expect(try await find { $0.from = fixture.time.now + .seconds(-40) } == ["bob a", "ada g"])
            #expect(try await find { $0.until = fixture.time.now + .seconds(-40) } == ["ada a"])
            let page = try await fixture.events.events("env", limit: 1)
            #expect(try await fixture.events.events("env", before: page[0]).map(\.name) == ["g", "a"])
            #expect(try await fixture.events.attributeNames("env").contains("Pier"))
            let names = try await fixture.events.names(
                "env", code: 17, from: fixture.time.now + .seconds(-60), until: fixture.time.now)
            #expect(names.map(\.name) == ["a"] && names.map(\.count) == [2])
            #expect(try await fixture.events.events("other").isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `counts over time are grouped by name, code, campaign and attribute`(_ engine: SQLEngine)
        async throws
    {
        try await with(engine) { fixture in
            try await fixture.send(
                "ada", [("17", "a", 3_500), ("17", "a", 100), ("17", "b", 50)], extra: [("Pier", "A")])
            try await fixture.send("bob", [("16", "g", 40)], campaign: "Spring", extra: [("Pier", "B")])
            let filter = BehaviorFilter()
            func buckets(_ seconds: Int) -> TimeBuckets {
                TimeBuckets(
                    every: .seconds(seconds), from: fixture.time.now + .seconds(-3_600),
                    until: fixture.time.now)
            }
            func series(_ grouping: BehaviorGrouping) async throws -> [String: [Int]] {
                let series = try await fixture.events.series(
                    "env", filter, in: buckets(1_800), by: grouping)
                #expect(series.buckets.count == 2 && !series.isPartial)
                return Dictionary(series.groups.map { ($0.label, $0.counts) }) { $1 }
            }
            #expect(try await series(.none) == ["": [1, 3]])
            #expect(try await series(.name) == ["a": [1, 1], "b": [0, 1], "g": [0, 1]])
            #expect(try await series(.code) == ["17": [1, 2], "16": [0, 1]])
            #expect(try await series(.campaign) == ["": [1, 2], "Spring": [0, 1]])
            #expect(try await series(.attribute("Pier")) == ["A": [1, 2], "B": [0, 1]])
            await #expect(throws: Problem.self) {
                try await fixture.events.series("env", filter, in: buckets(1))
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `of many names the largest are counted alone and the others together`(_ engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(engine, migrations: ContactTests.migrations) { plain in
            let database = RowCountingDatabase(plain)
            let fixture = Fixture(database)
            // One of the names is the label of the group of the others.
            let names = (10..<34).map { "n\($0)" } + [BehaviorSeries.other]
            for (index, name) in names.enumerated() {
                let ago: [Int64] = index < 5 ? [100, 200, 2_000] : [100, 2_000]
                try await fixture.send("ada", ago.map { ("17", name, $0) })
            }
            let buckets = TimeBuckets(
                every: .seconds(1_800), from: fixture.time.now + .seconds(-3_600), until: fixture.time.now)
            database.found.withLockedValue { $0 = [] }
            let series = try await fixture.events.series("env", BehaviorFilter(), in: buckets, by: .name)
            #expect(database.found.withLockedValue { $0.max() ?? 0 } <= 42)
            #expect(series.groups.count == 21)
            #expect(series.groups.prefix(5).map(\.label) == Array(names.prefix(5)))
            #expect(series.groups.prefix(5).allSatisfy { $0.counts == [1, 2] })
            #expect(series.groups.last == .init(label: BehaviorSeries.other, total: 10, counts: [5, 5]))
            #expect(series.groups.reduce(0) { $0 + $1.total } == 55)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `goals and campaigns are counted with their users and sessions`(_ engine: SQLEngine) async throws {
        try await with(engine) { fixture in
            try await fixture.send("ada", [("16", "Buy", 30), ("16", "Buy", 20), ("15", "Buy", 10)])
            try await fixture.send(
                "bob", [("13", "", 9), ("16", "Buy", 8), ("16", "Sail", 7)], campaign: "Spring")
            try await fixture.send("eve", [("16", "Buy", 8)], in: "other")
            let (from, until) = (fixture.time.now + .seconds(-60), fixture.time.now)
            let goals = try await fixture.events.goals("env", from: from, until: until)
            #expect(
                goals == [
                    GoalNumbers(name: "Buy", completed: 3, abandoned: 1, users: 2),
                    GoalNumbers(name: "Sail", completed: 1, abandoned: 0, users: 1),
                ])
            let campaigns = try await fixture.events.campaigns("env", from: from, until: until)
            #expect(campaigns.map(\.name) == ["Spring"])
            #expect(campaigns[0].sessions == 1 && campaigns[0].completed == 2 && campaigns[0].events == 3)
            #expect(Set(campaigns[0].goals.map(\.name)) == ["Buy", "Sail"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a funnel counts the users who took its steps in order and in time`(_ engine: SQLEngine) async throws
    {
        try await with(engine) { fixture in
            try await fixture.send(
                "whole", [("17", "look", 900), ("17", "look", 500), ("17", "pick", 400), ("16", "Buy", 300)])
            try await fixture.send("slow", [("17", "look", 900), ("17", "pick", 850), ("16", "Buy", 10)])
            try await fixture.send("back", [("16", "Buy", 900), ("17", "pick", 800), ("17", "look", 700)])
            try await fixture.send("once", [("17", "look", 600)])
            let steps = [Funnel.Step(17, "look"), Funnel.Step(17, "pick"), Funnel.Step(16)]
            let funnel = Funnel(steps: steps, window: .seconds(300))
            let (from, until) = (fixture.time.now + .seconds(-1_000), fixture.time.now)
            let result = try await fixture.events.funnel("env", funnel, from: from, until: until)
            #expect(result == FunnelResult(users: [4, 2, 1], isPartial: false))
            let twice = Funnel(
                steps: [Funnel.Step(17, "look"), Funnel.Step(17, "look")], window: .seconds(500))
            #expect(try await fixture.events.funnel("env", twice, from: from, until: until).users == [4, 1])
            let saved = try await fixture.events.saveFunnel("env", name: "Buying", funnel)
            #expect(try await fixture.events.funnels("env") == [saved])
            #expect(try await fixture.events.funnels("other").isEmpty)
            await #expect(throws: Problem.self) { try await fixture.events.removeFunnel("other", saved.id) }
            try await fixture.events.removeFunnel("env", saved.id)
            await #expect(throws: Problem.self) {
                try await fixture.events.saveFunnel("env", name: "x", Funnel(steps: [], window: .seconds(1)))
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a segment contains users by their recent events or by a value of their contact`(_ engine: SQLEngine)
        async throws
    {
        try await with(engine) { fixture in
            let day: Int64 = 86_400
            try await fixture.createUsers(["ada", "bob", "eve"])
            try await fixture.createUsers(["ada"], in: "other")
            try await fixture.send("ada", [("16", "Buy", day), ("16", "Buy", 2 * day)])
            try await fixture.send("bob", [("16", "Buy", day), ("16", "Buy", 9 * day)])
            try await fixture.send("stranger", [("16", "Buy", day), ("16", "Buy", day)])
            let list = try await fixture.contacts.createDatabase(
                "env", name: "L",
                columns: ContactStore.standardColumns + [
                    ContactColumn("City"), ContactColumn("Age", .numeric),
                ])
            for (user, city, age) in [("ada", "Oslo", "9"), ("bob", "Kiel", "30"), ("eve", "Oslo", "41")] {
                try await fixture.contacts.save(
                    "env", list.id,
                    values: ["Email": "\(user)@x.example", "Mobile User Id": user, "City": city, "Age": age])
            }
            func users(_ rule: SegmentRule) async throws -> [UserID] {
                let segment = try await fixture.segments.save("env", id: "s", name: "S", rule)
                let found = try await fixture.segments.users("env", segment.id)
                #expect(try await fixture.segments.count("env", rule) == found.count)
                #expect(
                    try await fixture.segments.users("env", segment.id, after: "ada")
                        == found.filter { $0 > "ada" })
                #expect(try await fixture.segments.users("other", segment.id).isEmpty)
                return found
            }
            let often = SegmentCondition(.init(code: 16, name: "Buy", atLeast: 2, days: 7))
            let oslo = SegmentCondition(.init(list: list.id, column: "city", .equals, "OSLO"))
            #expect(try await users(SegmentRule([often])) == ["ada"])
            #expect(try await users(SegmentRule([.init(.init(code: 16, days: 7))])) == ["ada", "bob"])
            #expect(
                try await users(SegmentRule([.init(.init(code: 16, atLeast: 2, days: 30))])) == [
                    "ada", "bob",
                ])
            #expect(try await users(SegmentRule([oslo])) == ["ada", "eve"])
            #expect(try await users(SegmentRule([oslo, often])) == ["ada"])
            #expect(
                try await users(SegmentRule([.init(.init(code: 16, days: 7)), oslo], matchesAny: true)).count
                    == 3)
            #expect(try await users(SegmentRule([.init(.init(code: 16, days: 7), isNot: true)])) == ["eve"])
            func age(_ comparison: ContactCondition.Comparison, _ value: String) async throws -> [UserID] {
                try await users(SegmentRule([.init(.init(list: list.id, column: "Age", comparison, value))]))
            }
            #expect(try await age(.greaterThan, "9") == ["bob", "eve"])
            #expect(try await age(.lessThan, "30") == ["ada"])
            #expect(try await age(.hasValue, "").count == 3)
            let begins = SegmentCondition(.init(list: list.id, column: "City", .beginsWith, "o"))
            #expect(try await users(SegmentRule([begins])) == ["ada", "eve"])
            for bad in [
                SegmentRule([]), SegmentRule([.init(.init(code: 99, days: 1))]),
                SegmentRule([.init(.init(list: 1, column: "City", .equals, "x"))]),
                SegmentRule([.init(.init(list: list.id, column: "Nope", .equals, "x"))]),
                SegmentRule([.init(.init(list: list.id, column: "City", .lessThan, "x"))]),
                SegmentRule([.init(.init(code: 16, atLeast: 0, days: 1))]),
            ] { await #expect(throws: Problem.self) { try await fixture.segments.count("env", bad) } }
            try await fixture.contacts.removeList("env", list.id)
            #expect(try await fixture.segments.users("env", "s").isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `events are removed after their environment's retention, and until then a copy is recognised`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await with(engine) { fixture in
            _ = try await fixture.database.write { connection in
                try connection.execute("INSERT INTO organisations VALUES ('o', 'O', 0)")
                for id in ["env", "other"] {
                    try connection.execute(
                        "INSERT INTO environments (id, organisation_id, name, created_at) VALUES (?, 'o', 'E', 0)",
                        [.text(id)])
                }
            }
            let body = BehaviorSite.body([BehaviorSite.event("e1", at: "2026-02-27T11:59:59Z")])
            func send(_ environment: EnvironmentID) async throws {
                let caller = BehaviorCaller(environmentID: environment, userID: "ada")
                _ = try await fixture.intake.submit(Data(body.utf8), from: caller)
            }
            try await send("env")
            try await send("other")
            try await fixture.retention.setDays("env", 2)
            #expect(try await fixture.retention.days("env") == 2)
            #expect(try await fixture.retention.days("other") == 400)
            // The event happened more than two days ago and arrived just now, so a copy of it may still arrive.
            #expect(try await fixture.retention.prune() == 0)
            fixture.time.advance(by: .seconds(86_400))
            try await send("env")
            #expect(try await fixture.events.count("env") == 1)
            fixture.time.advance(by: .seconds(2 * 86_400))
            #expect(try await fixture.retention.prune() == 1)
            #expect(try await fixture.events.count("env") == 0)
            #expect(try await fixture.events.count("other") == 1)
            for days in [0, 4_000] {
                await #expect(throws: Problem.self) { try await fixture.retention.setDays("env", days) }
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `cards reach the users of a segment, and an unknown segment is an error`(_ engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(
            engine, migrations: CardsServerFixture.migrations + BehaviorsSchema.migrations
        ) {
            database in
            let cards = CardsServerFixture(database)
            let fixture = Fixture(database)
            try await cards.publish()
            try await fixture.createUsers((0..<250).map { UserID("u\($0)") } + ["quiet"])
            let now = cards.time.now
            for user in (0..<250).map({ "u\($0)" }) {
                let event = BehaviorSite.event(
                    user, "16", at: ContactDateFormat.rfc3339(now.microseconds), [("Goal Name", "Buy")])
                let intake = EventIntake(
                    database: database, refusals: EventRefusals(database: database), now: { now })
                let caller = BehaviorCaller(environmentID: "env", userID: UserID(user))
                _ = try await intake.submit(Data(BehaviorSite.body([event]).utf8), from: caller)
            }
            let segments = SegmentStore(database: database, now: { now })
            let rule = SegmentRule([SegmentCondition(.init(code: 16, name: "Buy", days: 7))])
            try await segments.save("env", id: "buyers", name: "Buyers", rule)
            let service = CardEventService(
                database: database, now: { now }, onChange: { _ in }, wakeJobs: {},
                jobs: JobQueue(database: database, now: { now }), segments: segments)
            let receipt = try await service.send(
                "env", CardEventRequest(name: "ping", target: .segment("buyers")))
            #expect(receipt.cards == 0 && !receipt.isComplete)
            try await service.runJobs()
            #expect(try await cards.events.recent("env").map(\.cards) == [250])
            #expect(try await cards.feed("u7").cards.elements.count == 1)
            #expect(try await cards.feed("quiet").cards.elements.isEmpty)
            for (environment, id) in [("env", "none"), ("other", "buyers"), ("env", "a b")] {
                await #expect(throws: FieldErrors.self) {
                    try await service.send(
                        EnvironmentID(verified: environment),
                        CardEventRequest(name: "ping", target: .segment(SegmentID(id))))
                }
            }
            let wire = try JSONDecoder().decode(UserTarget.self, from: Data("{\"segment\":\"buyers\"}".utf8))
            #expect(wire == .segment("buyers"))
        }
    }
}
