import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Numbers of variables, from the event to the feed: each keeps its digits or is refused.
@Suite struct CardNumberTests {
    private static let variables: [CardTemplateDefinition.Variable] = [
        .init(name: "name"), .init(name: "n", kind: .number, defaultValue: .number(0)),
    ]

    private func request(_ number: String) throws -> CardEventRequest {
        let json = #"{"name":"ping","target":{"users":["ada"]},"variables":{"n":\#(number),"name":"x"}}"#
        return try JSONDecoder().decode(CardEventRequest.self, from: Data(json.utf8))
    }

    @Test(
        arguments: [
            ("1234567890123456", .number(1_234_567_890_123_456)),
            ("9007199254740992", .number(9_007_199_254_740_992)),
            ("9007199254740993", .integer(9_007_199_254_740_993)),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775807", .integer(.max)),
            ("10.50", .number(10.5)), ("1e3", .number(1_000)), ("0.30000000000000004", .number(0.1 + 0.2)),
            ("7.0", .number(7)),
        ] as [(String, CardVariableValue)])
    func `a number reaches the feed with its digits`(_ number: String, _ value: CardVariableValue)
        async throws
    {
        try await CardsServerFixture.with(.sqlite) { fixture in
            try await fixture.publish(.sample(variables: Self.variables))
            try await fixture.events.send("env", request(number))
            #expect(try await fixture.feed().cards.elements.first?.variables["n"] == value)
            // The event is stored as it was sent, so that copies are recognized and operators see the original.
            let kept = try #require(try await fixture.events.recent("env").first).request
            #expect(kept.variables?["n"].map { CardNumberTests.text($0) } == Self.text(value))
        }
    }

    @Test(arguments: [
        "9223372036854775808", "12345678901234567890", "-9223372036854775809", "9007199254740993.5", "1e19",
        "0.1234567890123456789", "1.0000000000000000001", "1e300",
    ])
    func `a number whose digits would change is refused by its name`(_ number: String) async throws {
        try await CardsServerFixture.with(.sqlite) { fixture in
            try await fixture.publish(.sample(variables: Self.variables))
            let errors = await #expect(throws: FieldErrors.self) {
                try await fixture.events.send("env", request(number))
            }
            #expect(errors?.items.map(\.field) == ["variables.n"])
            #expect(errors?.items.first?.message.hasPrefix("The card would show other digits") == true)
            #expect(try await fixture.feed().cards.elements.isEmpty)
        }
    }

    @Test(
        arguments: [
            ("1234567890123456", .number(1_234_567_890_123_456)),
            ("٩٠٠٧١٩٩٢٥٤٧٤٠٩٩٣", .integer(9_007_199_254_740_993)), ("007.50", .number(7.5)),
            ("12345678901234567890", nil), ("0.1234567890123456789", nil),
        ] as [(String, CardVariableValue?)])
    func `a typed number keeps its digits or is refused, and is shown with the same digits`(
        _ typed: String, _ value: CardVariableValue?
    ) {
        #expect(VariableText.value(typed, .number, in: .utc) == value)
        guard let value else { return }
        #expect(VariableText.value(VariableText.typed(value, in: .utc), .number, in: .utc) == value)
    }

    @Test
    func `a button's number whose digits a submission would change is refused, and a quoted one is a text`() {
        func read(_ value: String) -> (CardElement, FieldErrors) {
            var faults = FieldErrors()
            let form = ElementForm(.submitButton, ["text": "Go", "values": "order = \(value)"])
            return (form.element(at: "elements[0]", &faults), faults)
        }
        #expect(read("9007199254740993").1.items.map(\.field) == ["elements[0].values"])
        let quoted = read("\"9007199254740993\"")
        #expect(quoted.1.items.isEmpty)
        #expect(
            quoted.0
                == .submitButton(CardSubmitButton(text: "Go", values: ["order": .string("9007199254740993")]))
        )
        #expect(
            read("9007199254740992").0
                == .submitButton(
                    CardSubmitButton(text: "Go", values: ["order": .number(9_007_199_254_740_992)])))
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .integer(let number): String(number)
        case .number(let number): number.decimalText
        default: "\(value)"
        }
    }

    private static func text(_ value: CardVariableValue) -> String {
        switch value {
        case .integer(let number): String(number)
        case .number(let number): number.decimalText
        default: "\(value)"
        }
    }
}
