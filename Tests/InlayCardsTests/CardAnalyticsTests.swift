import Foundation
@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@Suite struct CardAnalyticsTests {
    @Test func `a user action is sent once as analytics, with container, card and the app's version`()
        async throws
    {
        let fixture = try await CardsFixture.start()
        try await fixture.cards.submit("a", in: "c", button: "go", values: ["n": 3.0]).confirmed()
        try await fixture.clock.untilSleeping(for: .seconds(3))
        fixture.clock.advance(by: .seconds(3))
        try await fixture.server.untilRequests(InlayPath.analytics)
        let event = try #require(try fixture.analytics.first { $0.name == "card-completed" })
        #expect(event.containerID == "c" && event.cardID == "a" && event.clientVersion == "1.0")
        #expect(event.properties == ["buttonName": "go", "values": ["n": 3]])
        #expect(Set(try fixture.analytics.map(\.id)).count == (try fixture.analytics.count))
    }

    @Test func `events of an offline run are sent by the next one`() async throws {
        let fixture = try await CardsFixture.start()
        fixture.server.always(InlayPath.analytics, .failure(.unreachable("offline")))
        await fixture.cards.displayed("a", in: "c")
        let later = try await fixture.restarted()
        _ = later.cards
        try await later.server.untilRequests(InlayPath.analytics)
        #expect(try later.analytics.contains { $0.name == "card-displayed" && $0.cardID == "a" })
    }

    @Test func `a failed analytics request is not itself sent as analytics`() async throws {
        let fixture = try await CardsFixture.start()
        let events = StreamRecorder(fixture.session.events.observe())
        fixture.server.always(InlayPath.analytics, .status(500))
        await fixture.cards.displayed("a", in: "c")
        _ = await fixture.session.outbox.flush(lane: "analytics")
        try await events.until { $0.name == .requestFailed }
        fixture.server.always(InlayPath.cardCounts, .status(500))
        await #expect(throws: CardConnectionError.self) { try await fixture.cards.counts() }
        try await events.until { _ in events.elements.filter { $0.name == .requestFailed }.count >= 2 }
        // Events are stored in order, so one about the analytics request would be stored before this one.
        try await eventually {
            try await fixture.session.outbox.pending(lane: "analytics").contains {
                let event = try JSONDecoder().decode(AnalyticsEvent.self, from: $0.body)
                return event.properties["path"]?.string == InlayPath.cardCounts
            }
        }
        fixture.server.always(InlayPath.analytics, .receipts)
        try await fixture.session.logOut()
        let paths = try fixture.analytics.compactMap { $0.properties["path"]?.string }
        #expect(paths.contains(InlayPath.cardCounts) && !paths.contains(InlayPath.analytics))
    }

    @Test func `counts come from the server, and from the list where one is observed`() async throws {
        let fixture = try await CardsFixture.start()
        let counts = CardCounts(containers: [
            "c": .init(total: 9, unseen: 9), "d": .init(total: 1, unseen: 0),
        ])
        fixture.server.always(InlayPath.cardCounts, try .json(counts))
        #expect(try await fixture.cards.counts() == counts)
        try fixture.serve(Sample.feed(1, [Sample.instance("a"), Sample.instance("b", isSeen: true)]))
        let states = fixture.observe()
        try await states.untilNewest(cards: ["a", "b"])
        #expect(try await fixture.cards.counts().containers["c"] == .init(total: 2, unseen: 1))
        try await fixture.cards.dismiss("a", in: "c")
        #expect(try await fixture.cards.counts().containers["c"] == .init(total: 1, unseen: 0))
        #expect(try await fixture.cards.counts().containers["d"] == .init(total: 1, unseen: 0))
    }
}
