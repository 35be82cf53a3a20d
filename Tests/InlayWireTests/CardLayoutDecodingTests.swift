@_spi(Inlay) import InlayWire
import Testing

@Suite struct CardLayoutDecodingTests {
    @Test func `an unreadable element is skipped alone`() throws {
        let layout = try WireJSON.read(
            CardLayout.self,
            """
            {"nodes": [{"type": "headline", "text": "One"}, {"type": "image"}, {"text": "no type"},
                       {"type": "list", "style": "spiral", "items": []}, {"type": "category", "text": "Two"}]}
            """)
        #expect(layout.nodes == [.headline("One"), .category("Two")])
    }

    @Test func `an element of a newer server is kept as unknown, and the rest is read`() throws {
        let layout = try WireJSON.read(
            CardLayout.self,
            #"{"nodes": [{"type": "hologram", "beam": 3}, {"type": "dismissButton", "text": "No"}]}"#)
        #expect(layout.nodes == [.unknown(type: "hologram"), .dismissButton(text: "No")])
    }

    @Test func `an unreadable element in a form is skipped alone`() throws {
        let node = try WireJSON.read(
            CardNode.self,
            #"{"type": "form", "children": [{"type": "textInput"}, {"type": "headline", "text": "In"}]}"#)
        #expect(node == .form([.headline("In")]))
    }

    @Test func `an unreadable element in a subview is skipped alone`() throws {
        let layout = try WireJSON.read(
            CardLayout.self,
            """
            {"nodes": [], "subviews": {"more": {"title": "More",
              "nodes": [{"type": "text"}, {"type": "headline", "text": "In"}]}}}
            """)
        #expect(layout.subviews["more"]?.nodes == [.headline("In")])
    }

    @Test func `a layout without options has the default options`() throws {
        let layout = try WireJSON.read(CardLayout.self, #"{"nodes": []}"#)
        #expect(layout.options == CardOptions())
        #expect(!layout.options.dismissOverflowDisabled && !layout.options.snoozeSwipeDisabled)
    }

    @Test func `an image height of a newer server falls back to tall`() throws {
        let node = try WireJSON.read(CardImage.self, #"{"url": "https://x/y.png", "height": "colossal"}"#)
        #expect(node.height == .tall)
        #expect(node.alternateText.isEmpty)
    }

    @Test(arguments: CardNodeSamples.all)
    func `every kind of element comes back from the wire as it went`(node: CardNode) throws {
        #expect(try WireJSON.roundTrip(node) == node)
        #expect(try WireJSON.read(TypeOnly.self, WireJSON.text(node)).type == node.type)
    }

    @Test func `a form lists itself and everything in it, depth first`() {
        let form = CardNode.form([.headline("a"), .form([.category("b")])])
        #expect(form.flattened.map(\.type) == ["form", "headline", "form", "category"])
    }

    private struct TypeOnly: Decodable { let type: String }
}

enum CardNodeSamples {
    static var all: [CardNode] {
        var rules = CardInputRules()
        rules.required = .init(true, message: "Say something")
        rules.maxLength = .init(20)
        rules.min = .init(0.5)
        let text = CardText(text: "**Hi**", rich: RichText([.paragraph([.strong([.text("Hi")])])]))
        return [
            .category("Ferry"), .headline("Delayed"), .text(text),
            .list(CardList(style: .ordered, items: [text])),
            .image(
                CardImage(
                    url: "https://x/y.png", alternateText: "A ship", height: .short, action: .subview("s"))),
            .textInput(
                CardTextInput(
                    name: "t", label: "T", placeholder: "p", defaultValue: "d", lines: 3, rules: rules)),
            .numberInput(CardNumberInput(name: "n", label: "N", defaultValue: 2, rules: rules)),
            .submitButton(
                CardSubmitButton(
                    text: "Go", buttonName: "go", values: ["a": .number(1)], action: .url("https://x"))),
            .dismissButton(text: "No"), .snoozeButton(CardSnoozeButton(text: "Later", seconds: 60)),
            .linkButton(CardLinkButton(text: "Open", action: .payload(["screen": "home", "n": 3]))),
            .form([.numberInput(CardNumberInput(name: "n", label: "N"))]),
        ]
    }
}
