import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerTesting

@Suite struct CardCountTests {
    private func displayed(_ card: String, id: String = UUID().uuidString) -> AnalyticsEvent {
        AnalyticsEvent(
            id: id, name: "card-displayed", time: CardsServerFixture.start, containerID: "main", cardID: card,
            clientVersion: "14.2 (14C18)")
    }

    @Test(arguments: SQLEngine.allCases)
    func `all cards are unseen when they are sent, and seen once they were displayed`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish()
            let card = try await fixture.card()
            _ = try await fixture.card()
            #expect(
                try await fixture.feeds.counts("env", "ada").containers == [
                    "main": .init(total: 2, unseen: 2)
                ])
            _ = try await fixture.analytics.ingest("env", "ada", [displayed(card.id)])
            #expect(
                try await fixture.feeds.counts("env", "ada").containers == [
                    "main": .init(total: 2, unseen: 1)
                ])
            #expect(try await fixture.feed().cards.elements.first { $0.id == card.id }?.isSeen == true)
            #expect(try await fixture.analytics.totals("env")[template.id]?.displayed == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `snoozed and embargoed cards do not count`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            try await fixture.publish(.sample(eventName: "later", embargo: 60))
            let card = try await fixture.card()
            for _ in 0..<2 { _ = try await fixture.card() }
            try await fixture.events.send("env", CardEventRequest(name: "later", target: .users(["ada"])))
            #expect(try await fixture.feeds.counts("env", "ada").total == 3)
            #expect(
                try await fixture.act(.snooze(until: fixture.time.now + .seconds(9)), on: card.id).refusal
                    == nil)
            #expect(try await fixture.feeds.counts("env", "ada").total == 2)
            fixture.time.advance(by: .seconds(9))
            #expect(try await fixture.feeds.counts("env", "ada").total == 3)
            fixture.time.advance(by: .seconds(51))
            #expect(try await fixture.feeds.counts("env", "ada").total == 4)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `each container has its own counts`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(.sample(containers: ["a", "b"]), containers: ["a", "b"])
            try await fixture.publish(.sample(eventName: "b", containers: ["b"]))
            try await fixture.events.send("env", CardEventRequest(name: "ping", target: .users(["ada"])))
            try await fixture.events.send("env", CardEventRequest(name: "b", target: .users(["ada"])))
            let card = try #require(try await fixture.feed("ada", "a").cards.elements.first)
            _ = try await fixture.analytics.ingest("env", "ada", [displayed(card.id)])
            let counts = try await fixture.feeds.counts("env", "ada")
            #expect(counts.containers == ["a": .init(total: 1, unseen: 0), "b": .init(total: 2, unseen: 2)])
            #expect(try await fixture.feeds.counts("env", "bob").total == 0)
        }
    }
}
