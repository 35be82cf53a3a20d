@_spi(Inlay) @testable import InlayCardsView
@_spi(Inlay) @testable import InlaySurface
import InlaySurfaceTesting
@_spi(Inlay) import InlayWire
import Testing

/// Hostile texts of authors and users in every text of a card: none may become markup.
@Suite struct HostileTextTests {
    static let payloads = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
        "\" autofocus onfocus=\"alert(1)", "</textarea><script>1</script>", "</style><script>1</script>",
        // In each of these a Swift Character hides a quote or bracket that a browser still reads.
        "x\"\u{301} onload=alert(1) y=\"", "<\u{200D}b>x", "<b\u{FE0F}>", ">\u{20DD}<script\u{301}>",
        "{{label}}{{{markup}}}{{> cards/card}}", "<!--", "--><b>", "<![CDATA[<b>]]>", "&lt;b&gt;",
        "&#60;b&#62;",
        "a\u{0}b", "\u{2028}</p><p>", "javascript:alert(1)", "`${alert(1)}`",
    ]

    /// Returns a layout with the text in every field that an author can set.
    static func layout(_ text: String) -> CardLayout {
        var rules = CardInputRules()
        rules.required = .init(true, message: text)
        let rich = RichText([
            .paragraph([.text(text), .strong([.text(text)]), .code(text), .link(url: text, [.text(text)])]),
            .heading(level: 2, [.emphasis([.text(text)])]),
            .bullets([[.paragraph([.struck([.text(text)])])]]),
            .quote([.paragraph([.text(text)])]), .code(text),
        ])
        let elements: [CardNode] = [
            .category(text), .headline(text), .text(CardText(text: text, rich: rich)),
            .list(CardList(style: .ordered, items: [CardText(text: text, rich: rich)])),
            .list(CardList(style: .comma, items: [Samples.text(text), Samples.text(text)])),
            .image(CardImage(url: "https://a.example/x.png", alternateText: text)),
            .image(CardImage(url: "x", alternateText: text, action: .subview("more"))),
            .form([
                .textInput(
                    CardTextInput(
                        name: "a" + text, label: text, placeholder: text, defaultValue: text, rules: rules)),
                .textInput(CardTextInput(name: "b", label: text, defaultValue: text, lines: 3)),
                .numberInput(CardNumberInput(name: "n" + text, label: text, placeholder: text)),
                .submitButton(CardSubmitButton(text: text, buttonName: text)),
            ]),
            .linkButton(CardLinkButton(text: text, action: .payload(["p": .string(text)]))),
            .linkButton(CardLinkButton(text: text, action: .url("https://a.example/"))),
            .dismissButton(text: text), .snoozeButton(CardSnoozeButton(text: text)), .unknown(type: text),
        ]
        return CardLayout(nodes: elements, subviews: ["more": CardSubview(title: text, nodes: elements)])
    }

    /// Returns every screen of the list, with the text in each string of the app, an author or a server.
    static func outlines(_ text: String) throws -> [HTMLOutline] {
        var configuration = CardListConfiguration()
        configuration.enabledUIElements = [.toast, .header, .footer]
        configuration.votingOptions = [.useful, .notUseful]
        configuration.presentationStyle = .actionButton(label: text)
        configuration.customHeader = RichText(plain: text)
        for string in CardString.allCases { configuration.setValue(text, for: string) }
        var state = Samples.ready([CardListItem(id: "i" + text, layout: layout(text))])
        state.problems = ["i" + text: ["a" + text: text, "b": text]]
        state.toasts = [CardToast(id: "t" + text, kind: .failed(text)), CardToast(id: "u", kind: .completed)]
        state.busyCards = ["i" + text]
        let overlays: [CardListState.Overlay?] = [
            nil, .subviews(card: "i" + text, ids: ["more"]), .snooze(card: "i" + text, problem: text),
            .feedback(card: "i" + text, reason: .other),
        ]
        var outlines = try overlays.map { overlay in
            state.overlay = overlay
            return try Samples.outline(state, configuration)
        }
        for phase: CardListState.Phase in [
            .firstLoad, .firstLoadFailed(.dataLoad), .loading, .failed(.noInternet), .ready,
        ] {
            outlines.append(try Samples.outline(CardListState(phase: phase), configuration))
        }
        return outlines
    }

    @Test(arguments: payloads)
    func `no text of any field becomes an element or an attribute`(payload: String) throws {
        let plain = try Self.outlines("plain")
        let hostile = try Self.outlines(payload)
        #expect(hostile.map(\.shape) == plain.map(\.shape))
        let seen = payload.replacing("\0", with: "\u{FFFD}")
        #expect(hostile[0].text.unicodeScalars.count > seen.unicodeScalars.count)
        #expect(hostile[0].text.contains(seen), "the words themselves stay readable")
        #expect(hostile[0].first("input", where: "data-input", is: "a" + seen)?["value"] == seen)
    }

    @Test func `Mustache's own escaping would let a quote with a combining mark through, ours does not`() {
        #expect(HTMLText.escaped("\"\u{301}") == "&quot;\u{301}")
        #expect(HTMLText.escaped("<\u{200D}a&\u{FE0F}'>") == "&lt;\u{200D}a&amp;\u{FE0F}&#39;&gt;")
    }

    @Test(arguments: [
        "javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "java\nscript:alert(1)",
    ])
    func `a link with a refused scheme keeps its text and has no target`(address: String)
        throws
    {
        let rich = RichText([.paragraph([.link(url: address, [.text("words")])])])
        let nodes: [CardNode] = [
            .text(CardText(text: "", rich: rich)),
            .linkButton(CardLinkButton(text: "button", action: .url(address))),
            .image(CardImage(url: address, alternateText: "image", action: .url(address))),
        ]
        let outline = try Samples.outline(Samples.ready([Samples.item("c", nodes)]))
        #expect(outline.tags("a").isEmpty)
        #expect(outline.tags("img").isEmpty)
        #expect(outline.text.contains("words") && outline.text.contains("image"))
        #expect(!outline.tags.contains { $0["data-event"] == "link" })
        for tag in outline.tags {
            #expect(!tag.attributes.contains { $0.value.lowercased().contains("script:") })
        }
    }

    @Test func `a preview with hostile values in its theme and texts has one style element and no script`()
        throws
    {
        let theme = CardTheme(
            colors: ["accent": "red;}</style><script>1</script>", "x;y": "#FFFFFF", "paper": "#12345G"],
            lengths: ["radius-card": .infinity],
            typography: ["headline": CardTypography(family: "a\";}</style><script>", size: 20)])
        let html = try CardPreview.document(
            Self.layout("</style><script>1</script>"), appearance: CardAppearance(version: 1, light: theme),
            nonce: "n\"x")
        let outline = HTMLOutline(html)
        #expect(outline.tags("style").count == 1 && outline.tags("style")[0]["nonce"] == "n\"x")
        #expect(outline.tags("script").isEmpty)
    }
}
