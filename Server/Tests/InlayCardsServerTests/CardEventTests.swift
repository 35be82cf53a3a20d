import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite struct CardEventTests {
    private func event(_ target: UserTarget, id: CardEventID? = nil, lifecycle: CardLifecycleID? = nil)
        -> CardEventRequest
    {
        CardEventRequest(id: id, name: "ping", target: target, lifecycleID: lifecycle)
    }

    @Test(arguments: SQLEngine.allCases)
    func `an event reaches the named users, all, or those with a profile value`(_ engine: SQLEngine)
        async throws
    {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            let users = UserStore(database: fixture.database, now: { fixture.time.now })
            try await users.put("env", "kiel1", UserProfile(["city": .text("Kiel")]))
            try await users.put("env", "bonn1", UserProfile(["city": .text("Bonn")]))
            #expect(try await fixture.events.send("env", event(.users(["new", "new"]))).cards == 1)
            #expect(
                try await fixture.events.send("env", event(.profile(field: "city", value: "Kiel"))).cards == 1
            )
            #expect(try await fixture.events.send("env", event(.all)).cards == 3)
            #expect(try await fixture.feed("kiel1").cards.elements.count == 2)
            #expect(try await fixture.feed("bonn1").cards.elements.count == 1)
            #expect(try await fixture.feed("new").cards.elements.count == 2)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a template in two containers makes a card in each`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(.sample(containers: ["main", "side"]), containers: ["main", "side"])
            #expect(try await fixture.events.send("env", event(.users(["ada"]))).cards == 2)
            var narrow = event(.users(["ada"]))
            narrow.containerIDs = ["side"]
            #expect(try await fixture.events.send("env", narrow).cards == 1)
            #expect(try await fixture.feed("ada", "main").cards.elements.count == 1)
            #expect(try await fixture.feed("ada", "side").cards.elements.count == 2)
            narrow.containerIDs = ["nowhere'--"]
            await #expect(throws: FieldErrors.self) { try await fixture.events.send("env", narrow) }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a hundred copies of an event at once make its cards once`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            let request = event(.users(["ada", "bob"]), id: "evt-1")
            try await withThrowingTaskGroup(of: CardEventReceipt.self) { group in
                for _ in 0..<100 { group.addTask { try await fixture.events.send("env", request) } }
                for try await receipt in group {
                    #expect(receipt.eventID == "evt-1" && receipt.cards == 2 && receipt.isComplete)
                }
            }
            #expect(try await fixture.feed().cards.elements.count == 1)
            #expect(try await fixture.feed().version == 1)
            #expect(try await fixture.analytics.totals("env").values.map(\.sent) == [2])
            let error = await #expect(throws: Problem.self) {
                try await fixture.events.send("env", event(.users(["eve"]), id: "evt-1"))
            }
            #expect(error?.code == .conflict)
            #expect(try await fixture.events.recent("env").map(\.id) == ["evt-1"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an event with the lifecycle id of an open card replaces it in place`(_ engine: SQLEngine)
        async throws
    {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            var request = event(.users(["ada"]), lifecycle: "order-1")
            request.variables = ["name": "first"]
            try await fixture.events.send("env", request)
            let first = try #require(try await fixture.feed().cards.elements.first)
            fixture.time.advance(by: .seconds(1))
            request.variables = ["name": "second"]
            request.priority = 1
            try await fixture.events.send("env", request)
            let feed = try await fixture.feed()
            let second = try #require(feed.cards.elements.first)
            #expect(feed.cards.elements.count == 1 && feed.version == 2)
            #expect(second.id == first.id && second.createdAt == first.createdAt && second.priority == 1)
            #expect(second.variables == ["name": .string("second")] && second.updatedAt > first.updatedAt)
            #expect(try await fixture.analytics.totals("env").values.map(\.sent) == [1])

            #expect(try await fixture.act(.dismiss, on: first.id).refusal == nil)
            try await fixture.events.send("env", request)
            let third = try #require(try await fixture.feed().cards.elements.first)
            #expect(third.id != first.id)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a replaced card stays snoozed and is not hidden again by an embargo`(_ engine: SQLEngine)
        async throws
    {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            var request = event(.users(["ada"]), lifecycle: "l")
            try await fixture.events.send("env", request)
            let card = try #require(try await fixture.feed().cards.elements.first)
            request.embargoUntil = fixture.time.now + .seconds(60)
            try await fixture.events.send("env", request)
            #expect(try await fixture.feed().cards.elements.count == 1)
            let until = fixture.time.now + .seconds(30)
            #expect(try await fixture.act(.snooze(until: until), on: card.id).refusal == nil)
            try await fixture.events.send("env", request)
            #expect(try await fixture.feed().cards.elements.isEmpty)
            fixture.time.advance(by: .seconds(30))
            #expect(try await fixture.feed().cards.elements.map(\.id) == [card.id])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `values are typed by the template and faults are named`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(
                .sample(variables: [
                    .init(name: "name"), .init(name: "seats", kind: .number, defaultValue: .number(1)),
                    .init(name: "when", kind: .date, defaultValue: .date(CardsServerFixture.start)),
                    .init(name: "first", kind: .boolean, defaultValue: .boolean(false)),
                    .init(name: "app", isRuntime: true),
                ]))
            var request = event(.users(["ada"]))
            request.variables = ["name": 5, "seats": "5", "when": "soon", "first": "yes", "app": "x"]
            do {
                _ = try await fixture.events.send("env", request)
                Issue.record("It was taken.")
            } catch let errors as FieldErrors {
                #expect(
                    errors.items.map(\.field) == [
                        "variables.name", "variables.seats", "variables.when", "variables.first",
                        "variables.app",
                    ])
            }
            request.variables = ["nmae": "slip"]
            await #expect(throws: FieldErrors.self) { try await fixture.events.send("env", request) }
            request.variables = ["name": "A", "seats": 2.5, "when": "2027-01-15T08:00:00Z", "first": true]
            try await fixture.events.send("env", request)
            #expect(
                try await fixture.feed().cards.elements.first?.variables == [
                    "name": .string("A"), "seats": .number(2.5), "when": .date(CardsServerFixture.start),
                    "first": .boolean(true),
                ])
        }
    }

    @Test func `a text of few characters with thousands of combining marks is refused as a value`() throws {
        func values(_ marks: Int) -> [String: JSONValue] {
            ["name": .string("e" + String(repeating: "\u{301}", count: marks))]
        }
        let declared = [CardTemplateDefinition.Variable(name: "name")]
        #expect(try CardVariables.typed(values(1_999), for: declared).count == 1)
        let errors = try #require(throws: FieldErrors.self) {
            try CardVariables.typed(values(2_000), for: declared)
        }
        #expect(errors.items.map(\.field) == ["variables.name"])
    }

    @Test(arguments: SQLEngine.allCases)
    func `an event whose card would end before its embargo is refused, whichever time the template sets`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(.sample(eventName: "embargoed", embargo: 86_400))
            try await fixture.publish(.sample(eventName: "expiring", expiry: 60))
            for (name, field) in [("embargoed", "expiresAt"), ("expiring", "embargoUntil")] {
                var request = event(.users(["ada"]))
                request.name = name
                request.expiresAt = name == "embargoed" ? fixture.time.now + .seconds(86_400) : nil
                request.embargoUntil = name == "expiring" ? fixture.time.now + .seconds(60) : nil
                let errors = await #expect(throws: FieldErrors.self) {
                    try await fixture.events.send("env", request)
                }
                #expect(errors?.items.map(\.field) == [field])
                if name == "embargoed" { request.expiresAt = fixture.time.now + .seconds(86_401) }
                if name == "expiring" { request.embargoUntil = fixture.time.now + .seconds(59) }
                try await fixture.events.send("env", request)
            }
            fixture.time.advance(by: .seconds(59))
            #expect(try await fixture.feed().cards.elements.map(\.eventName) == ["expiring"])
        }
    }

    @Test func `an event outside its limits is refused field by field`() throws {
        var request = CardEventRequest(
            id: "", name: "a\u{0}", target: .users(["ok", ""]),
            lifecycleID: CardLifecycleID(String(repeating: "x", count: 129)))
        request.priority = 0
        request.expiresAt = CardsServerFixture.start
        request.embargoUntil = CardsServerFixture.start + .seconds(5)
        request.containerIDs = []
        do {
            try CardEventCheck.validate(request, at: CardsServerFixture.start)
            Issue.record("It was taken.")
        } catch let errors as FieldErrors {
            #expect(
                errors.items.map(\.field) == [
                    "id", "lifecycleId", "name", "priority", "target.users[1]", "expiresAt", "expiresAt",
                    "containerIds",
                ])
            #expect(errors.problem.status == 422 && errors.problem.code == .invalidValue)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a large audience gets each card once, in pieces`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            let audience = (0..<1_050).map { UserID("user-\($0)") }
            let receipt = try await fixture.events.send("env", event(.users(audience)))
            #expect(receipt.cards == 1_050 && receipt.isComplete)
            #expect(fixture.changes.all.count == 1_050 && fixture.changes.all.allSatisfy { $0.version == 1 })
            #expect(try await fixture.analytics.totals("env").values.map(\.sent) == [1_050])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an event that an earlier version left unfinished is finished, without doubles`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            let users = (0..<500).map { UserID("user-\($0)") }
            try await fixture.events.send("env", event(.users(users), id: "evt"))
            // As a crash after the first piece would have left it: the plan names the users.
            let plan = try JSONColumn.text(UserTarget.users(users))
            _ = try await fixture.database.write { connection in
                try connection.execute(
                    "DELETE FROM card_instances WHERE user_id > (SELECT MAX(user_id) FROM (SELECT user_id FROM card_instances ORDER BY user_id LIMIT 200) AS first)"
                )
                try connection.execute(
                    """
                    UPDATE card_events SET is_done = 0, is_listed = 0, cards = 200, plan = REPLACE(plan, ?, ?),
                        position = (SELECT MAX(user_id) FROM card_instances)
                    """, [.text(#"{"users":[]}"#), .text(plan)])
                try CardEventService.enqueue(
                    CardAudienceJobs.kind, "env", "evt", at: fixture.time.now, in: connection)
            }
            let other = CardsServerFixture(fixture.database, time: fixture.time)
            async let here: Void = fixture.events.runJobs()
            async let there: Void = other.events.runJobs()
            _ = try await (here, there)
            try await other.events.runJobs()
            let record = try #require(try await fixture.events.recent("env").first)
            #expect(record.cards == 500 && record.isComplete)
            let cards = try await fixture.database.read {
                try $0.row("SELECT COUNT(*) AS n, COUNT(DISTINCT user_id) AS users FROM card_instances")
                    .map { (try $0.int("n"), try $0.int("users")) }
            }
            #expect(cards?.0 == 500 && cards?.1 == 500)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `cancelling removes open cards and leaves closed ones`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            try await fixture.events.send("env", event(.users(["ada", "bob", "cy"]), lifecycle: "l"))
            let card = try #require(try await fixture.feed("ada").cards.elements.first)
            #expect(try await fixture.act(.dismiss, on: card.id).refusal == nil)
            let named = CardCancelRequest(lifecycleID: "l", target: .users(["bob"]))
            #expect(try await fixture.events.cancel("env", named).cards == 1)
            #expect(try await fixture.events.cancel("env", CardCancelRequest(lifecycleID: "l")).cards == 1)
            #expect(try await fixture.events.cancel("env", CardCancelRequest(lifecycleID: "l")).cards == 0)
            #expect(try await fixture.feed("bob").cards.elements.isEmpty)
            #expect(try await fixture.feed("bob").version == 2)
            #expect(try await fixture.feed("cy").cards.elements.isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a test card comes from the chosen template only`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let one = try await fixture.publish()
            try await fixture.publish(.sample(priority: 1))
            var request = event(.users(["ada"]))
            request.templateID = one.id
            try await fixture.events.send("env", request)
            #expect(try await fixture.feed().cards.elements.map(\.templateID) == [one.id.rawValue])
            request.templateID = "other"
            await #expect(throws: FieldErrors.self) { try await fixture.events.send("env", request) }
        }
    }

    @Test func `an event is read from the documented JSON`() throws {
        let json = """
            {"id":"e","name":"ping","target":{"profile":{"field":"city","value":"Kiel"}},"lifecycleId":"l",
            "variables":{"a":1},"containerIds":["main"],"priority":2,"embargoUntil":5,"expiresAt":9,"more":true}
            """
        let request = try JSONDecoder().decode(CardEventRequest.self, from: Data(json.utf8))
        #expect(request.target == .profile(field: "city", value: "Kiel"))
        #expect(request.id == "e" && request.lifecycleID == "l" && request.containerIDs == ["main"])
        #expect(request.name == "ping" && request.priority == 2 && request.variables == ["a": 1])
        #expect(request.embargoUntil == Timestamp(microseconds: 5))
        #expect(request.expiresAt == Timestamp(microseconds: 9))
    }
}
