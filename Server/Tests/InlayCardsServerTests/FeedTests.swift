import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite struct FeedTests {
    @Test(arguments: SQLEngine.allCases)
    func `an event makes a card that its user sees with layout, values and version`(_ engine: SQLEngine)
        async throws
    {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish()
            let event = CardEventRequest(
                name: "ping", target: .users(["ada"]), lifecycleID: "order-1",
                variables: ["name": "Ada \"<x>\""])
            let receipt = try await fixture.events.send("env", event)
            #expect(receipt.cards == 1 && receipt.isComplete && receipt.templateIDs == [template.id])

            let feed = try await fixture.feed()
            let card = try #require(feed.cards.elements.first)
            #expect(feed.version == 1 && feed.hadCards && feed.cards.elements.count == 1)
            #expect(card.variables == ["name": .string("Ada \"<x>\"")])
            #expect(
                card.lifecycleID == "order-1" && card.eventName == "ping" && card.templateName == "Sample")
            #expect(card.status == .active && card.priority == 5 && !card.isSeen)
            #expect(card.createdAt == CardsServerFixture.start && card.activeAt == CardsServerFixture.start)
            #expect(feed.layouts[card.layoutID]?.nodes.first == .headline("Hello {{name}}"))
            #expect(
                fixture.changes.all == [
                    LiveChange(environmentID: "env", userID: "ada", topic: "cards/main", version: 1)
                ])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the assembled JSON is what an encoder would write`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(
                .sample(
                    elements: [
                        .text("**\u{2028}\u{1F6A2}** \\ \"quoted\" </script>"),
                        .dismissButton(text: "No\u{2019}"),
                    ],
                    variables: [
                        .init(name: "name"),
                        .init(name: "when", kind: .date, defaultValue: .date(CardsServerFixture.start)),
                    ],
                    expiry: 60))
            let event = CardEventRequest(
                name: "ping", target: .users(["ada"]), lifecycleID: "a\"b\\c/\u{0301}",
                variables: ["name": "\u{0}\n\t\u{1F}\u{2029}\"\\", "when": 17])
            try await fixture.events.send("env", event)
            guard case .feed(let json) = try await fixture.feeds.feed("env", "ada", "main") else {
                throw TestFailure("a whole feed")
            }
            let decoded = try JSONDecoder().decode(CardFeed.self, from: Data(json.utf8))
            #expect(decoded.cards.skipped.isEmpty && decoded.cards.elements.count == 1)
            let encoded = try JSONEncoder().encode(decoded)
            let ours = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
            #expect(try JSONDecoder().decode(JSONValue.self, from: encoded) == ours)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a feed at the reader's version is not sent again`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            #expect(try await fixture.feed().version == 0)
            #expect(try await fixture.feeds.feed("env", "ada", "main", after: 0) == .notModified)
            let card = try await fixture.card()
            #expect(try await fixture.feeds.feed("env", "ada", "main", after: 1) == .notModified)
            #expect(try await fixture.feeds.feed("env", "ada", "main", after: 0) != .notModified)
            #expect(try await fixture.act(.dismiss, on: card.id).refusal == nil)
            #expect(try await fixture.feeds.feed("env", "ada", "main", after: 1) != .notModified)
            #expect(try await fixture.feed().cards.elements.isEmpty)
            #expect(try await fixture.feed().hadCards)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a container that does not exist is not found`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            for id: CardContainerID in ["other", "main'; DROP TABLE card_feeds; --", "a\u{0}b", ""] {
                let error = await #expect(throws: Problem.self) {
                    try await fixture.feeds.feed("env", "ada", id)
                }
                #expect(error?.code == .notFound)
            }
            try await fixture.containers.save("env", id: "spare", name: "Spare")
            try await fixture.containers.archive("env", "spare")
            await #expect(throws: Problem.self) { try await fixture.feeds.feed("env", "ada", "spare") }
        }
    }
}
