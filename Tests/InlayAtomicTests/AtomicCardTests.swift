import Foundation
import InlayAtomic
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension AtomicTests {
    @MainActor @Suite struct CardModel {
        /// Returns the card of a container that holds only a card with this layout.
        private func card(_ layout: CardLayout, variables: [String: CardVariableValue] = [:]) async throws
            -> AACCardInstance
        {
            let fixture = try AtomicFixture()
            try fixture.serve(
                1, [AtomicFixture.card("card-id", priority: 6, variables: variables)], layout: layout)
            let seen = fixture.observe()
            try await seen.until(1)
            await fixture.logout()
            return try #require(seen.calls[0]?.first)
        }

        @Test func `a card exposes its id, priority, event, life cycle and times`() async throws {
            let card = try await card(CardLayout(nodes: []))
            #expect(card.detail.cardId == "card-id" && card.cardInstanceId == "card-id")
            #expect(card.metadata.priority == 6 && card.priority == 6)
            #expect(card.eventName == "event-card-id" && card.detail.eventName == card.eventName)
            #expect(card.lifecycleId == "life-card-id" && card.detail.lifecycleId == card.lifecycleId)
            #expect(card.detail.status == "active")
            #expect(card.lastCardActiveTime == Date(timeIntervalSince1970: AtomicFixture.noon.seconds))
        }

        @Test func `priority 1 comes first and 10 last`() async throws {
            let fixture = try AtomicFixture()
            try fixture.serve(1, [5, 1, 10].map { AtomicFixture.card("p\($0)", priority: $0) })
            let seen = fixture.observe()
            try await seen.until(1)
            #expect(seen.calls[0]?.map { $0.metadata.priority.intValue } == [1, 5, 10])
            await fixture.logout()
        }

        @Test func `action flags say what the menu and swipes do not offer`() async throws {
            var options = CardOptions()
            (options.dismissOverflowDisabled, options.snoozeSwipeDisabled) = (true, true)
            let flags = try await card(CardLayout(nodes: [], options: options)).actionFlags
            #expect(flags.dismissOverflowDisabled && flags.snoozeSwipeDisabled)
            #expect(!flags.dismissSwipeDisabled && !flags.snoozeOverflowDisabled)
            #expect(!flags.voteUpOverflowDisabled && !flags.voteDownOverflowDisabled)
        }

        @Test func `elements come in the authored order, each kind as its own class`() async throws {
            let richText = CardText(text: "**Hi**", rich: RichText(plain: "Hi"))
            let card = try await card(
                CardLayout(nodes: [
                    .category("Billing"), .headline("Head"), .text(richText),
                    .list(CardList(style: .ordered, items: [richText, richText])),
                    .list(CardList(style: .comma, items: [richText, richText])),
                    .image(CardImage(url: "https://x/y.png", alternateText: "Ship", height: .short)),
                    .textInput(CardTextInput(name: "t", label: "T")),
                    .numberInput(CardNumberInput(name: "n", label: "N")),
                    .submitButton(CardSubmitButton(text: "Go")), .dismissButton(text: "No"),
                    .snoozeButton(CardSnoozeButton(text: "Later", seconds: 60)),
                    .linkButton(CardLinkButton(text: "Open", action: .url("https://x"))),
                    .form([.headline("In")]),
                ]))
            let kinds = card.defaultLayout.nodes.map { String(describing: type(of: $0)) }
            #expect(
                kinds == [
                    "AACCardNodeCategory", "AACCardNodeHeading1", "AACCardNodeText", "AACCardNodeList",
                    "AACCardNodeListComma", "AACCardNodeImage", "AACCardNodeTextInput",
                    "AACCardNodeNumberInput",
                    "AACCardNodeSubmitButton", "AACCardNodeDismissButton", "AACCardNodeSnoozeButton",
                    "AACCardNodeLinkButton", "AACCardNodeForm",
                ])
            #expect((card.defaultLayout.nodes[0] as? AACCardNodeCategory)?.text == "Billing")
            #expect((card.defaultLayout.nodes[4] as? AACCardNodeListComma)?.listText == "**Hi**, **Hi**")
            #expect((card.defaultLayout.nodes[5] as? AACCardNodeImage)?.displayedHeightType == .short)
            let later = (card.defaultLayout.nodes[10] as? AACCardNodeSnoozeButton)?.snoozeDate(
                from: .distantPast)
            #expect(later == Date.distantPast.addingTimeInterval(60))
            #expect(card.defaultLayout.nodes[12].flattenedChildren?.count == 1)
        }

        @Test func `an element of a kind this version does not know is a plain node`() async throws {
            let card = try await card(CardLayout(nodes: [.unknown(type: "hologram")]))
            #expect(card.defaultLayout.nodes.map(\.isPlaceholder) == [true])
        }

        @Test func `subviews are found by their ids, and an unknown id gives nil`() async throws {
            let card = try await card(
                CardLayout(
                    nodes: [.headline("Top")],
                    subviews: [
                        "one": CardSubview(title: "First", nodes: [.headline("1")]),
                        "two": CardSubview(title: "Second", nodes: []),
                    ]))
            #expect(card.layout(withName: "one")?.title == "First")
            #expect((card.layout(withName: "one")?.nodes.first as? AACCardNodeHeading1)?.text == "1")
            #expect(card.layout(withName: "two")?.title == "Second")
            #expect(card.layout(withName: "three") == nil)
            #expect(card.subLayoutNames() == ["one", "two"])
            #expect(
                card.layout(withName: "one") !== card.defaultLayout
                    && card.layout(withName: "one") !== card.layout(withName: "two"))
        }

        @Test func `the buttons of the top level and of a subview are distinguished`() async throws {
            let card = try await card(
                CardLayout(
                    nodes: [
                        .form([.submitButton(CardSubmitButton(text: "Pay", buttonName: "pay"))]),
                        .submitButton(CardSubmitButton(text: "Nameless")),
                    ],
                    subviews: ["more": CardSubview(title: "", nodes: [.dismissButton(text: "No")])]))
            let top = card.buttons(withSubviewId: nil).compactMap { $0 as? AACCardNodeSubmitButton }
            #expect(top.map(\.text) == ["Pay", "Nameless"])
            #expect(top.map(\.buttonName) == ["pay", nil])
            #expect(card.buttons(withSubviewId: "more").map(\.text) == ["No"])
            #expect(card.buttons(withSubviewId: "more").first is AACCardNodeDismissButton)
            #expect(card.buttons(withSubviewId: "unknown").isEmpty)
        }

        @Test func `the addresses of images and buttons are kept as written, and percent-encoded as URLs`()
            async throws
        {
            let (written, encoded) = (
                "https://x.test/Ærø?x=%20y&z={o}", "https://x.test/%C3%86r%C3%B8?x=%20y&z=%7Bo%7D"
            )
            let nodes = try await card(
                CardLayout(nodes: [
                    .image(CardImage(url: written, alternateText: "Ship", action: .url(written))),
                    .linkButton(CardLinkButton(text: "Go", action: .url(written))),
                    .linkButton(CardLinkButton(text: "App", action: .url("harbor://cabin?x=%20{o}"))),
                    .linkButton(CardLinkButton(text: "None", action: .url(""))),
                ])
            ).defaultLayout.nodes
            let image = try #require(nodes[0] as? AACCardNodeImage)
            #expect(image.url?.absoluteString == encoded && image.actionUrl?.absoluteString == encoded)
            let buttons = nodes.dropFirst().compactMap { $0 as? AACCardNodeLinkButton }
            #expect(
                buttons.map { $0.url?.absoluteString } == [encoded, "harbor://cabin?x=%20%7Bo%7D", nil])
            #expect(buttons.map(\.urlString) == [written, "harbor://cabin?x=%20{o}", ""])
        }

        @Test func `a payload reads as plain values`() async throws {
            let action = CardLinkAction.payload([
                "screen": "home-screen", "n": 3, "deep": ["list": [true, .null]],
            ])
            let card = try await card(
                CardLayout(nodes: [.linkButton(CardLinkButton(text: "Go", action: action))]))
            let payload = try #require((card.defaultLayout.nodes[0] as? AACCardNodeLinkButton)?.actionPayload)
            #expect(payload["screen"] as? String == "home-screen" && payload["n"] as? Int == 3)
            #expect(((payload["deep"] as? [String: Any])?["list"] as? [Any])?.first as? Bool == true)
        }
    }
}
