@testable import InlayCards
import InlayWire
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

    @Test func `a sent value wins over the default, a resolved one over both`() {
        var card = card("{{ship}} {{ count }}")
        #expect(card.layout.nodes == [.headline("Aurora 0")])
        card.resolve("count", to: "12")
        #expect(card.layout.nodes == [.headline("Aurora 12")])
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

    @Test(arguments: ["{{", "}}", "{{}}", "{{ship", "a}}b{{", "{{unknown}}", "{ship}"])
    func `braces that name no variable stay as they are`(text: String) {
        #expect(card(text).layout.nodes == [.headline(text)])
    }

    @Test func `a value inside an address stays inside its place`() {
        let values = ["id": "a b/../c?x=1&y=2#z"]
        #expect(
            VariableText.fillAddress("https://x/{{id}}/go?n=1", values)
                == "https://x/a%20b%2F..%2Fc%3Fx%3D1%26y%3D2%23z/go?n=1")
    }

    @Test(arguments: [
        "javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "file:///etc/passwd", "nothing",
    ])
    func `a whole address from a variable must be a web address`(value: String) {
        #expect(VariableText.fillAddress("{{url}}", ["url": value]).isEmpty)
        #expect(VariableText.fillAddress("{{ url }}", ["url": "https://x/y"]) == "https://x/y")
    }

    @Test func `a value in formatted text never becomes mark-up`() {
        let text = CardText(text: "Hi {{ship}}", rich: RichText([.paragraph([.text("Hi {{ship}}")])]))
        let layout = CardLayout(nodes: [.text(text)])
        let card = Sample.card("v", variables: ["ship": .string("**<b>x</b>**")], layout: layout)
        guard case .text(let filled) = card.layout.nodes[0] else {
            Issue.record("the text went missing")
            return
        }
        #expect(filled.rich == RichText([.paragraph([.text("Hi **<b>x</b>**")])]))
    }

    @Test func `every text of a card is filled: lists, inputs, buttons, forms, subviews, payloads`() {
        let layout = CardLayout(
            nodes: [
                .category("{{v}}"),
                .list(
                    CardList(style: .comma, items: [CardText(text: "{{v}}", rich: RichText(plain: "{{v}}"))])),
                .form([
                    .textInput(
                        CardTextInput(name: "n", label: "{{v}}", placeholder: "{{v}}", defaultValue: "{{v}}")),
                    .numberInput(CardNumberInput(name: "m", label: "{{v}}", placeholder: "{{v}}")),
                ]),
                .submitButton(
                    CardSubmitButton(text: "{{v}}", action: .payload(["a": ["{{v}}", ["b": "{{v}}"]]]))),
                .dismissButton(text: "{{v}}"), .snoozeButton(CardSnoozeButton(text: "{{v}}")),
                .linkButton(CardLinkButton(text: "{{v}}", action: .url("https://x/{{v}}"))),
                .image(CardImage(url: "https://x/{{v}}", alternateText: "{{v}}", action: .subview("s"))),
            ],
            subviews: ["s": CardSubview(title: "{{v}}", nodes: [.headline("{{v}}")])])
        let card = Sample.card("v", variables: ["v": .string("9")], layout: layout)
        #expect(!String(describing: card.layout).contains("{{"))
        #expect(card.layout.subviews["s"]?.title == "9")
    }

    @Test func `values read well in a text`() {
        #expect(CardVariableValue.number(5).text == "5")
        #expect(CardVariableValue.number(0.5).text == "0.5")
        #expect(CardVariableValue.number(.infinity).text == "inf")
        #expect(CardVariableValue.boolean(true).text == "true")
        #expect(CardVariableValue.date(Timestamp(seconds: 1_700_000_000)).text == "2023-11-14T22:13:20Z")
    }
}
