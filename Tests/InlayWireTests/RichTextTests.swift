@_spi(Inlay) import InlayWire
import Testing

@Suite struct RichTextTests {
    private let sample = RichText([
        .heading(level: 2, [.text("Hi "), .emphasis([.text("{{name}}")])]),
        .paragraph([
            .strong([.text("a")]), .struck([.text("b")]), .code("c"), .lineBreak,
            .link(url: "https://x", [.text("d")]),
        ]),
        .bullets([[.paragraph([.text("one")])], [.quote([.paragraph([.text("two")])])]]),
        .numbers(start: 3, [[.paragraph([.text("three")])]]), .code("let x"), .rule,
    ])

    @Test func `formatted text comes back from the wire as it went`() throws {
        #expect(try WireJSON.roundTrip(sample) == sample)
    }

    @Test func `the plain text holds every word and no mark-up`() {
        #expect(sample.plainText == "Hi {{name}}\nabc\nd\none\ntwo\nthree\nlet x\n")
    }

    @Test func `mapText keeps structure and links`() {
        let upper = sample.mapText { $0.uppercased() }
        #expect(upper.plainText == sample.plainText.uppercased())
        #expect(upper.blocks.count == sample.blocks.count)
        guard case .paragraph(let inlines) = upper.blocks[1], case .link(let url, _) = inlines[4] else {
            Issue.record("the link moved")
            return
        }
        #expect(url == "https://x")
    }
}
