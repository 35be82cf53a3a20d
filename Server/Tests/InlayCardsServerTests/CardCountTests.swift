import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerTesting

@Suite struct CardCountTests {
    private func displayed(_ card: String, id: String = UUID().uuidString) -> AnalyticsEvent {
        AnalyticsEvent(
            id: id, name: "card-displayed", time: CardWorld.start, containerID: "main", cardID: card,
            clientVersion: "14.2 (14C18)")
    }

    @Test(arguments: SQLEngine.allCases)
    func `all cards are unseen when they are sent, and seen once they were displayed`(
        _ engine: SQLEngine
    ) async throws {
        try await CardWorld.with(engine) { world in
            let template = try await world.publish()
            let card = try await world.card()
            _ = try await world.card()
            #expect(
                try await world.feeds.counts("env", "ada").containers == ["main": .init(total: 2, unseen: 2)])
            _ = try await world.analytics.take("env", "ada", [displayed(card.id)])
            #expect(
                try await world.feeds.counts("env", "ada").containers == ["main": .init(total: 2, unseen: 1)])
            #expect(try await world.feed().cards.elements.first { $0.id == card.id }?.isSeen == true)
            #expect(try await world.analytics.totals("env")[template.id]?.displayed == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `snoozed and embargoed cards do not count`(_ engine: SQLEngine) async throws {
        try await CardWorld.with(engine) { world in
            try await world.publish()
            try await world.publish(.sample(eventName: "later", embargo: 60))
            let card = try await world.card()
            for _ in 0..<2 { _ = try await world.card() }
            try await world.events.send("env", CardEventRequest(name: "later", target: .users(["ada"])))
            #expect(try await world.feeds.counts("env", "ada").total == 3)
            #expect(
                try await world.act(.snooze(until: world.time.now + .seconds(9)), on: card.id).refusal == nil)
            #expect(try await world.feeds.counts("env", "ada").total == 2)
            world.time.advance(.seconds(9))
            #expect(try await world.feeds.counts("env", "ada").total == 3)
            world.time.advance(.seconds(51))
            #expect(try await world.feeds.counts("env", "ada").total == 4)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `each container has its own counts`(_ engine: SQLEngine) async throws {
        try await CardWorld.with(engine) { world in
            try await world.publish(.sample(containers: ["a", "b"]), containers: ["a", "b"])
            try await world.publish(.sample(eventName: "b", containers: ["b"]))
            try await world.events.send("env", CardEventRequest(name: "ping", target: .users(["ada"])))
            try await world.events.send("env", CardEventRequest(name: "b", target: .users(["ada"])))
            let card = try #require(try await world.feed("ada", "a").cards.elements.first)
            _ = try await world.analytics.take("env", "ada", [displayed(card.id)])
            let counts = try await world.feeds.counts("env", "ada")
            #expect(counts.containers == ["a": .init(total: 1, unseen: 0), "b": .init(total: 2, unseen: 2)])
            #expect(try await world.feeds.counts("env", "bob").total == 0)
        }
    }
}
