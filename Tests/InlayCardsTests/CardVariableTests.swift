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

    @Test func `the device cannot resolve what the server decides`() {
        var card = card("{{ship}}")
        card.resolve("ship", to: "Flying Dutchman")
        card.resolve("unheard-of", to: "x")
        #expect(card.layout.nodes == [.headline("Aurora")])
        #expect(card.resolved.isEmpty)
    }

    @Test func `a value that looks like a variable is shown and not filled again`() {
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
