import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite struct CardTenancyTests {
    private static let hostile = [
        "'; DROP TABLE card_instances; --", "\" OR 1=1 --", "%' OR '1'='1", "$1", "?", "\\'; SELECT 1; --",
        "{{name}}",
        "<script>alert(1)</script>",
    ]

    @Test(arguments: SQLEngine.allCases)
    func `no id of one environment reads or changes anything of another`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish()
            let theme = try await fixture.themes.save("env", name: "T", light: CardTheme())
            let card = try await fixture.card()
            try await fixture.containers.save("other", id: "main", name: "Main")

            #expect(try await fixture.templates.template("other", template.id) == nil)
            #expect(try await fixture.templates.list("other").isEmpty)
            #expect(try await fixture.templates.publishedDraft("other", template.id) == nil)
            #expect(try await fixture.themes.theme("other", theme.id) == nil)
            #expect(try await fixture.events.recent("other").isEmpty)
            #expect(try await fixture.inspector.cards("other", "ada").isEmpty)
            #expect(try await fixture.actions.submissions("other").isEmpty)
            #expect(try await fixture.analytics.totals("other").isEmpty)
            #expect(try await fixture.feeds.counts("other", "ada").total == 0)
            #expect(try await fixture.feed("ada", in: "other").cards.elements.isEmpty)
            #expect(try await fixture.act(.dismiss, on: card.id, in: "other").refusal?.code == .notFound)
            #expect(
                try await fixture.events.cancel(
                    "other", CardCancelRequest(lifecycleID: .init(card.lifecycleID))
                ).cards
                    == 0)
            #expect(
                try await fixture.events.send(
                    "other", CardEventRequest(name: "ping", target: .users(["ada"]))
                )
                .cards == 0)

            for change in [
                { try await fixture.templates.publish("other", template.id) as Any },
                { try await fixture.templates.archive("other", template.id) as Any },
                { try await fixture.templates.setEnabled("other", template.id, false) as Any },
                {
                    try await fixture.templates.save(
                        "other", template.id, template.draft, over: template.revision) as Any
                },
                {
                    try await fixture.themes.save("other", id: theme.id, name: "X", light: CardTheme()) as Any
                },
                { try await fixture.themes.delete("other", theme.id) as Any },
            ] {
                await #expect {
                    _ = try await change()
                } throws: { error in
                    (error as? Problem)?.code == .notFound
                }
            }
            await #expect(throws: FieldErrors.self) {
                try await fixture.containers.save("other", id: "main", name: "M", themeID: theme.id)
            }
            #expect(try await fixture.feed().cards.elements.map(\.id) == [card.id])
            #expect(try await fixture.templates.template("env", template.id) == template)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `SQL in any string is a string`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            for text in Self.hostile {
                var draft = CardTemplateDraft.sample(
                    eventName: text,
                    elements: [
                        .headline(text), .text("a \(text)"),
                        .submitButton(CardSubmitButton(text: "OK", buttonName: text, values: [text: "x"])),
                    ])
                draft.name = text
                let template = try await fixture.publish(draft)
                let event = CardEventRequest(
                    id: CardEventID(text), name: text, target: .users([UserID(text)]),
                    lifecycleID: CardLifecycleID(text),
                    variables: ["name": .string(text)])
                #expect(try await fixture.events.send("env", event).cards == 1)
                let card = try #require(try await fixture.feed(UserID(text)).cards.elements.first)
                #expect(card.templateName == text && card.variables == ["name": .string(text)])
                #expect(card.lifecycleID == text && card.templateID == template.id.rawValue)
                let analytics = AnalyticsEvent(
                    id: text, name: text, time: fixture.time.now, containerID: text, cardID: text,
                    clientVersion: text,
                    properties: [text: .string(text)])
                #expect(
                    try await fixture.analytics.ingest("env", UserID(text), [analytics]) == [
                        ItemReceipt(id: text)
                    ])
                #expect(try await fixture.analytics.recent("env", UserID(text)) == [analytics])
                let values: [String: CardInputValue] = [text: .string(text)]
                let receipt = try await fixture.act(
                    .submit(buttonName: text, values: values), on: card.id, id: text, user: UserID(text))
                #expect(receipt.refusal == nil)
                #expect(try await fixture.actions.submissions("env").contains { $0.values == values })
                #expect(try await fixture.inspector.cards("env", UserID(text)).count == 1)
            }
            #expect(try await fixture.templates.list("env").count == Self.hostile.count)
        }
    }
}
