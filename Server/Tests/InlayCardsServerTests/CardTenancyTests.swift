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
        try await CardWorld.with(engine) { world in
            let template = try await world.publish()
            let theme = try await world.themes.save("env", name: "T", light: CardTheme())
            let card = try await world.card()
            try await world.containers.save("other", id: "main", name: "Main")

            #expect(try await world.templates.template("other", template.id) == nil)
            #expect(try await world.templates.list("other").isEmpty)
            #expect(try await world.templates.publishedDraft("other", template.id) == nil)
            #expect(try await world.themes.theme("other", theme.id) == nil)
            #expect(try await world.events.recent("other").isEmpty)
            #expect(try await world.inspector.cards("other", "ada").isEmpty)
            #expect(try await world.actions.submissions("other").isEmpty)
            #expect(try await world.analytics.totals("other").isEmpty)
            #expect(try await world.feeds.counts("other", "ada").total == 0)
            #expect(try await world.feed("ada", in: "other").cards.elements.isEmpty)
            #expect(try await world.act(.dismiss, on: card.id, in: "other").refusal?.code == .notFound)
            #expect(
                try await world.events.cancel(
                    "other", CardCancelRequest(lifecycleID: .init(card.lifecycleID))
                ).cards
                    == 0)
            #expect(
                try await world.events.send("other", CardEventRequest(name: "ping", target: .users(["ada"])))
                    .cards == 0)

            for change in [
                { try await world.templates.publish("other", template.id) as Any },
                { try await world.templates.archive("other", template.id) as Any },
                { try await world.templates.setEnabled("other", template.id, false) as Any },
                {
                    try await world.templates.save(
                        "other", template.id, template.draft, over: template.revision) as Any
                },
                { try await world.themes.save("other", id: theme.id, name: "X", light: CardTheme()) as Any },
                { try await world.themes.delete("other", theme.id) as Any },
            ] {
                await #expect {
                    _ = try await change()
                } throws: { error in
                    (error as? Problem)?.code == .notFound
                }
            }
            await #expect(throws: FieldErrors.self) {
                try await world.containers.save("other", id: "main", name: "M", themeID: theme.id)
            }
            #expect(try await world.feed().cards.elements.map(\.id) == [card.id])
            #expect(try await world.templates.template("env", template.id) == template)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `SQL in any string is a string`(_ engine: SQLEngine) async throws {
        try await CardWorld.with(engine) { world in
            for text in Self.hostile {
                var draft = CardTemplateDraft.sample(
                    eventName: text,
                    elements: [
                        .headline(text), .text("a \(text)"),
                        .submitButton(CardSubmitButton(text: "OK", buttonName: text, values: [text: "x"])),
                    ])
                draft.name = text
                let template = try await world.publish(draft)
                let event = CardEventRequest(
                    id: CardEventID(text), name: text, target: .users([UserID(text)]),
                    lifecycleID: CardLifecycleID(text),
                    variables: ["name": .string(text)])
                #expect(try await world.events.send("env", event).cards == 1)
                let card = try #require(try await world.feed(UserID(text)).cards.elements.first)
                #expect(card.templateName == text && card.variables == ["name": .string(text)])
                #expect(card.lifecycleID == text && card.templateID == template.id.rawValue)
                let analytics = AnalyticsEvent(
                    id: text, name: text, time: world.time.now, containerID: text, cardID: text,
                    clientVersion: text,
                    properties: [text: .string(text)])
                #expect(
                    try await world.analytics.take("env", UserID(text), [analytics]) == [
                        ItemReceipt(id: text)
                    ])
                #expect(try await world.analytics.recent("env", UserID(text)) == [analytics])
                let values: [String: CardInputValue] = [text: .string(text)]
                let receipt = try await world.act(
                    .submit(buttonName: text, values: values), on: card.id, id: text, user: UserID(text))
                #expect(receipt.refusal == nil)
                #expect(try await world.actions.submissions("env").contains { $0.values == values })
                #expect(try await world.inspector.cards("env", UserID(text)).count == 1)
            }
            #expect(try await world.templates.list("env").count == Self.hostile.count)
        }
    }
}
