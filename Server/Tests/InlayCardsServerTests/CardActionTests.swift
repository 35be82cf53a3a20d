import Foundation
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerTesting

@Suite struct CardActionTests {
    @Test(arguments: SQLEngine.allCases)
    func `dismissed, completed and snoozed cards leave the feed and are counted`(_ engine: SQLEngine)
        async throws
    {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish(
                .sample(elements: [
                    .textInput(CardTextInput(name: "t", label: "T")),
                    .numberInput(CardNumberInput(name: "n", label: "N")),
                    .submitButton(CardSubmitButton(text: "OK", buttonName: "ok", values: ["b": false])),
                ]))
            let kinds: [CardAction.Kind] = [
                .dismiss, .submit(buttonName: "ok", values: ["n": 3.0, "t": "x", "b": true]),
                .snooze(until: fixture.time.now + .seconds(60)),
            ]
            for kind in kinds {
                let card = try await fixture.card()
                #expect(try await fixture.act(kind, on: card.id).refusal == nil)
                #expect(try await fixture.feed().cards.elements.isEmpty)
            }
            var totals = CardTotals()
            (totals.sent, totals.dismissed, totals.completed, totals.snoozed) = (3, 1, 1, 1)
            #expect(try await fixture.analytics.totals("env") == [template.id: totals])
            let submission = try #require(try await fixture.actions.submissions("env").first)
            #expect(submission.buttonName == "ok" && submission.userID == "ada")
            #expect(submission.values == ["n": 3.0, "t": "x", "b": true])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the answers to a rarely used template are found after many answers to others, newest first`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let quiet = try await fixture.publish(
                .sample(elements: [
                    .textInput(CardTextInput(name: "t", label: "T")),
                    .submitButton(CardSubmitButton(text: "OK")),
                ]))
            for word in ["first", "second"] {
                let card = try await fixture.card()
                let submit = CardAction.Kind.submit(buttonName: nil, values: ["t": .string(word)])
                #expect(try await fixture.act(submit, on: card.id).refusal == nil)
                fixture.time.advance(by: .seconds(1))
            }
            // A card of the quiet template that nobody answers must not be listed.
            try await fixture.events.send("env", CardEventRequest(name: "ping", target: .users(["eve"])))
            let busy = try await fixture.publish(.sample(eventName: "survey"))
            let users = (1...201).map { UserID("user-\($0)") }
            try await fixture.events.send("env", CardEventRequest(name: "survey", target: .users(users)))
            for user in users {
                let card = try #require(try await fixture.feed(user).cards.elements.first)
                #expect(
                    try await fixture.act(.submit(buttonName: nil, values: [:]), on: card.id, user: user)
                        .refusal == nil)
            }
            let answers = try await fixture.actions.submissions("env", templateID: quiet.id)
            #expect(answers.map(\.values) == [["t": "second"], ["t": "first"]])
            #expect(answers.allSatisfy { $0.templateID == quiet.id })
            #expect(try await fixture.actions.submissions("env", templateID: busy.id, limit: 20).count == 20)
            #expect(try await fixture.actions.submissions("other", templateID: quiet.id).isEmpty)
        }
    }

    @Test func `a template's answers are read from their index, without sorting`() async throws {
        try await CardsServerFixture.with(.sqlite) { fixture in
            let plan = try await fixture.database.read { connection in
                try connection.rows(
                    "EXPLAIN QUERY PLAN " + CardActionService.submissionsToTemplate,
                    [.text("env"), .text("tpl"), .int(20)]
                ).map { try $0.text("detail") }
            }
            #expect(plan.first?.contains("card_instances_answers") == true, "\(plan)")
            #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(plan)")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a hundred copies of an action at once take effect once`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            let card = try await fixture.card()
            let action = CardAction(
                id: "act-1", containerID: "main", cardID: card.id, time: fixture.time.now,
                kind: .submit(buttonName: nil, values: [:]))
            try await withThrowingTaskGroup(of: [ItemReceipt].self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await fixture.actions.apply("env", "ada", clientVersion: "1", [action, action])
                    }
                }
                for try await receipts in group {
                    #expect(receipts == [ItemReceipt(id: "act-1"), ItemReceipt(id: "act-1")])
                }
            }
            #expect(try await fixture.feed().version == 2)
            #expect(try await fixture.analytics.totals("env").values.map(\.completed) == [1])
            #expect(try await fixture.actions.submissions("env").count == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `of two devices' actions the first is applied, and the second and its copies get a conflict`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            let card = try await fixture.card()
            #expect(try await fixture.act(.dismiss, on: card.id, id: "one").refusal == nil)
            let second = try await fixture.act(.submit(buttonName: nil, values: [:]), on: card.id, id: "two")
            #expect(second.refusal?.code == .conflict)
            #expect(second.refusal?.title == "The card is dismissed already.")
            #expect(
                try await fixture.act(.submit(buttonName: nil, values: [:]), on: card.id, id: "two") == second
            )
            #expect(try await fixture.feed().version == 2)
            #expect(try await fixture.analytics.totals("env").values.map(\.completed) == [0])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an invalid action in a batch does not affect the others`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(
                .sample(elements: [
                    .numberInput(CardNumberInput(name: "v", label: "V")),
                    .submitButton(CardSubmitButton(text: "OK")),
                ]))
            let card = try await fixture.card()
            let now = fixture.time.now
            func action(_ id: String, _ card: String, _ kind: CardAction.Kind, _ container: String = "main")
                -> CardAction
            {
                CardAction(id: id, containerID: container, cardID: card, time: now, kind: kind)
            }
            let huge = String(repeating: "x", count: CardLimits.submittedBytes + 1)
            let accented = String(repeating: "e\u{301}", count: CardLimits.nameLength)
            let receipts = try await fixture.actions.apply(
                "env", "ada", clientVersion: "1",
                [
                    action("", card.id, .dismiss), action("a", "missing", .dismiss),
                    action("b\u{0}", card.id, .dismiss),
                    action("c", card.id, .snooze(until: now + .microseconds(-1))),
                    action("d", card.id, .dismiss, "other"),
                    action("e", card.id, .submit(buttonName: nil, values: ["v": .string(huge)])),
                    action("f", card.id, .snooze(until: Timestamp(microseconds: .max))),
                    action("g", card.id, .submit(buttonName: accented, values: ["v": 1.0])),
                    action("h", card.id, .submit(buttonName: nil, values: ["v": 1.0])),
                ])
            #expect(
                receipts.map(\.refusal?.code) == [
                    .invalidValue, .notFound, .invalidValue, .invalidValue, .notFound, .invalidValue,
                    .invalidValue, .invalidValue, nil,
                ])
            #expect(receipts.map(\.id) == ["", "a", "b\u{0}", "c", "d", "e", "f", "g", "h"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a snooze that has already ended is accepted, and the card stays`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish()
            let card = try await fixture.card()
            let now = fixture.time.now
            #expect(try await fixture.act(.snooze(until: now), on: card.id).refusal == nil)
            let late = CardAction(
                id: "late", containerID: "main", cardID: card.id, time: now + .seconds(-60),
                kind: .snooze(until: now + .seconds(-30)))
            let receipts = try await fixture.actions.apply("env", "ada", clientVersion: "1", [late])
            #expect(receipts.map(\.refusal) == [nil])
            #expect(try await fixture.feed().cards.elements.map(\.id) == [card.id])
            #expect(try await fixture.analytics.totals("env")[template.id]?.snoozed == 2)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `another user's card and another environment's card are not found and stay as they are`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            try await fixture.publish(in: "other")
            let card = try await fixture.card()
            #expect(try await fixture.act(.dismiss, on: card.id, user: "eve").refusal?.code == .notFound)
            #expect(try await fixture.act(.dismiss, on: card.id, in: "other").refusal?.code == .notFound)
            #expect(try await fixture.feed().cards.elements.map(\.id) == [card.id])
            #expect(try await fixture.feed("ada", in: "other").cards.elements.isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an expired card cannot be completed, even before the clock has settled its feed`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(.sample(expiry: 60))
            let card = try await fixture.card()
            fixture.time.advance(by: .seconds(60))
            let receipt = try await fixture.act(.submit(buttonName: nil, values: [:]), on: card.id)
            #expect(receipt.refusal?.title == "The card is expired already.")
            #expect(try await fixture.feed().cards.elements.isEmpty)
        }
    }

    @Test func `items of a batch that cannot be read are refused, in their places`() async throws {
        let json = """
            {"items":[{"id":"a","name":"x","time":1,"clientVersion":"1","properties":{}},{"id":"b"},7,
            {"id":"c","name":"y","time":2,"clientVersion":"1","properties":{}}]}
            """
        let batch = try JSONDecoder().decode(LenientBatch<AnalyticsEvent>.self, from: Data(json.utf8))
        let receipt = try await batch.receipt { items in items.map { ItemReceipt(id: $0.id) } }
        #expect(receipt.receipts.map(\.id) == ["a", "b", "", "c"])
        #expect(receipt.receipts.map(\.refusal?.code) == [nil, .malformedBody, .malformedBody, nil])
    }

    @Test func `the id of an item that cannot be read is cut, also one of combining marks`() async throws {
        let ids = [String(repeating: "x", count: 200), "x" + String(repeating: "\u{301}", count: 200)]
        let json = #"{"items":["# + ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",") + "]}"
        let batch = try JSONDecoder().decode(LenientBatch<AnalyticsEvent>.self, from: Data(json.utf8))
        let receipts = try await batch.receipt { _ in [] }.receipts
        #expect(receipts.map(\.id.unicodeScalars.count) == [CardLimits.nameLength, CardLimits.nameLength])
    }

    @Test func `a batch of more than 500 is refused`() async throws {
        let json = #"{"items":["# + Array(repeating: "0", count: 501).joined(separator: ",") + "]}"
        let batch = try JSONDecoder().decode(LenientBatch<CardAction>.self, from: Data(json.utf8))
        await #expect(throws: Problem.self) { try await batch.receipt { _ in [] } }
    }
}
