import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerTesting

@Suite struct CardSubmissionCheckTests {
    private static func form(maximum: Double) -> [CardElement] {
        var who = CardInputRules()
        who.required = .init(true)
        var count = CardInputRules()
        count.max = .init(maximum, message: "\(Int(maximum)) at most")
        return [
            .form([
                .textInput(CardTextInput(name: "who", label: "Who", rules: who)),
                .numberInput(CardNumberInput(name: "n", label: "N", rules: count)),
                .submitButton(CardSubmitButton(text: "Go", buttonName: "go")),
            ])
        ]
    }

    @Test(arguments: SQLEngine.allCases)
    func `a submission that does not fit its card is refused with the field's name, and the card stays open`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(.sample(elements: Self.form(maximum: 5)))
            let card = try await fixture.card()
            let wrong: [(String?, [String: CardInputValue], String, FieldProblem.Code)] = [
                ("stop", ["who": "Ada"], "buttonName", .unknownButton),
                ("go", ["who": "Ada", "n": 6.0], "n", .tooLarge),
                ("go", ["n": 1.0], "who", .required),
                ("go", ["who": "Ada", "never": "there"], "never", .unknownField),
                ("go", ["who": true], "who", .wrongType),
            ]
            for (button, values, field, code) in wrong {
                let refusal = try #require(
                    try await fixture.act(.submit(buttonName: button, values: values), on: card.id).refusal)
                #expect(refusal.status == 422 && refusal.code == .invalidSubmission)
                #expect(refusal.fields?.map(\.field) == [field] && refusal.fields?.map(\.code) == [code])
                #expect(refusal.detail?.hasPrefix("\(field): ") == true)
            }
            #expect(try await fixture.feed().cards.elements.map(\.id) == [card.id])
            #expect(try await fixture.analytics.totals("env").values.map(\.completed) == [0])
            #expect(try await fixture.actions.submissions("env").isEmpty)
            let right = CardAction.Kind.submit(buttonName: "go", values: ["who": "Ada", "n": 5.0])
            #expect(try await fixture.act(right, on: card.id).refusal == nil)
            #expect(try await fixture.feed().cards.elements.isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a copy of a refused submission gets the first answer, and a batch goes on behind it`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(.sample(elements: Self.form(maximum: 5)))
            let card = try await fixture.card()
            func action(_ id: String, _ count: Double) -> CardAction {
                CardAction(
                    id: id, containerID: "main", cardID: card.id, time: fixture.time.now,
                    kind: .submit(buttonName: "go", values: ["who": "Ada", "n": .number(count)]))
            }
            let receipts = try await fixture.actions.apply(
                "env", "ada", clientVersion: "1", [action("one", 9), action("one", 9), action("two", 1)])
            #expect(receipts.map(\.refusal?.code) == [.invalidSubmission, .invalidSubmission, nil])
            #expect(receipts[0] == receipts[1])
            // The card is closed by now; the copy's answer is still the first one.
            #expect(
                try await fixture.actions.apply("env", "ada", clientVersion: "1", [action("one", 9)]).first
                    == receipts[0])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `of two submissions with one id in a batch, the first is checked and applied`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(.sample(elements: Self.form(maximum: 5)))
            for (first, second) in [(9.0, 1.0), (1.0, 9.0)] {
                let card = try await fixture.card()
                let actions = [first, second].map { count in
                    CardAction(
                        id: "one-\(first)", containerID: "main", cardID: card.id, time: fixture.time.now,
                        kind: .submit(buttonName: "go", values: ["who": "Ada", "n": .number(count)]))
                }
                let receipts = try await fixture.actions.apply("env", "ada", clientVersion: "1", actions)
                let expected: Problem.Code? = first > 5 ? .invalidSubmission : nil
                #expect(receipts.map(\.refusal?.code) == [expected, expected])
            }
            #expect(try await fixture.actions.submissions("env").count == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a card is checked against the version that it was made with, whatever was published since`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish(.sample(elements: Self.form(maximum: 5)))
            let old = try await fixture.card()
            let saved = try await fixture.templates.save(
                "env", template.id, .sample(elements: Self.form(maximum: 9)), over: template.revision)
            _ = try await fixture.templates.publish("env", saved.id)
            let new = try await fixture.card(of: "eve")
            let seven = CardAction.Kind.submit(buttonName: "go", values: ["who": "Ada", "n": 7.0])
            #expect(try await fixture.act(seven, on: new.id, user: "eve").refusal == nil)
            #expect(try await fixture.act(seven, on: old.id).refusal?.fields?.map(\.message) == ["5 at most"])
        }
    }
}
