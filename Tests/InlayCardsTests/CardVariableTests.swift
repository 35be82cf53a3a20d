@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayWire
import Testing

@Suite struct CardVariableTests {
    private func card(_ text: String, _ variables: [String: CardVariableValue] = [:]) -> Card {
        let layout = CardLayout(
            nodes: [.headline(text)],
            variables: [
                CardVariable(name: "ship", defaultValue: .string("Aurora")),
                CardVariable(name: "count", defaultValue: .string("0"), isRuntime: true),
            ])
        return Sample.card("v", variables: variables, layout: layout)
    }

    @Test func `a sent or resolved value wins over the default`() {
        var card = card("{{ship}} {{ count }}")
        #expect(card.layout.nodes == [.headline("Aurora 0")])
        card.resolve("count", to: "12")
        #expect(card.layout.nodes == [.headline("Aurora 12")])
        #expect(card.value(of: "count") == .string("12"))
        #expect(self.card("{{ship}}", ["ship": .string("Boreas")]).layout.nodes == [.headline("Boreas")])
    }

    @Test(
        arguments: [
            (CardVariableValue(whole: 1_234_567_890_123_456), "1234567890123456"),
            (CardVariableValue(whole: 9_007_199_254_740_992), "9007199254740992"),
            (CardVariableValue(whole: 9_007_199_254_740_993), "9007199254740993"),
            (CardVariableValue(whole: .min), "-9223372036854775808"), (.number(7), "7"),
            (.number(10.5), "10.5"),
            (.number(0.00001), "0.00001"), (.number(1e21), "1000000000000000000000"),
        ] as [(CardVariableValue, String)])
    func `a number is shown with the digits in which it was sent`(_ value: CardVariableValue, _ text: String)
    {
        #expect(card("{{ship}}", ["ship": value]).layout.nodes == [.headline(text)])
        #expect(value.plainText == text)
    }

    @Test func `only runtime variables can be resolved on the device`() {
        var card = card("{{ship}}")
        card.resolve("ship", to: "Flying Dutchman")
        card.resolve("unheard-of", to: "x")
        #expect(card.layout.nodes == [.headline("Aurora")])
        #expect(card.resolved.isEmpty)
    }

    @Test func `a value that looks like a variable is shown as it is`() {
        var card = card("{{count}}")
        card.resolve("count", to: "{{ship}}")
        #expect(card.layout.nodes == [.headline("{{ship}}")])
    }

    @Test func `a card knows which of its variables the app resolves`() {
        #expect(card("x").runtimeVariables.map(\.name) == ["count"])
        #expect(card("x").hasRuntimeVariables)
        #expect(!Sample.card("plain").hasRuntimeVariables)
    }
}
