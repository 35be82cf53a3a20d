import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite struct AnalyticsTests {
    private func event(_ id: String, name: String = "card-displayed", card: String? = nil) -> AnalyticsEvent {
        AnalyticsEvent(id: id, name: name, time: CardsServerFixture.start, containerID: "main", cardID: card)
    }

    @Test(arguments: SQLEngine.allCases)
    func `a hundred copies of an event at once count once`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish()
            let card = try await fixture.card()
            let copies = [event("e1", card: card.id), event("e2", card: card.id), event("e1", card: card.id)]
            try await withThrowingTaskGroup(of: [ItemReceipt].self) { group in
                for _ in 0..<100 {
                    group.addTask { try await fixture.analytics.ingest("env", "ada", copies) }
                }
                for try await receipts in group {
                    #expect(
                        receipts == [ItemReceipt(id: "e1"), ItemReceipt(id: "e2"), ItemReceipt(id: "e1")])
                }
            }
            #expect(try await fixture.analytics.totals("env")[template.id]?.displayed == 2)
            #expect(try await fixture.analytics.recent("env", "ada").count == 2)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `votes are counted once each, by template and reason`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish()
            let card = try await fixture.card()
            func vote(_ id: String, _ reason: String?) -> AnalyticsEvent {
                var vote = event(id, name: reason == nil ? "card-voted-up" : "card-voted-down", card: card.id)
                vote.properties["reason"] = reason.map { .string($0) }
                return vote
            }
            let votes = [
                vote("1", nil), vote("1", nil), vote("2", "not-relevant"), vote("3", "too-often"),
                vote("4", "something-else"), vote("5", "a reason of tomorrow"),
                event("6", name: "card-voted-up", card: "nobody's"), event("7", name: "card-voted-up"),
            ]
            let receipts = try await fixture.analytics.ingest("env", "ada", votes)
            #expect(receipts.allSatisfy { $0.refusal == nil })
            // Another user's card takes no vote.
            _ = try await fixture.analytics.ingest("env", "eve", [vote("8", nil)])
            let totals = try #require(try await fixture.analytics.totals("env")[template.id])
            #expect(totals.votedUp == 1 && totals.votedDown == 4)
            #expect(
                totals.votedNotRelevant == 1 && totals.votedTooOften == 1 && totals.votedSomethingElse == 2)
            let today = CalendarZone.utc.day(of: fixture.time.now)
            let days = try await fixture.analytics.daily("env", days: today...today, in: .utc)
            #expect(days.map(\.totals) == [totals])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `unknown names are kept with their properties and the app's version`(_ engine: SQLEngine)
        async throws
    {
        try await CardsServerFixture.with(engine) { fixture in
            var custom = event("e1", name: "moon-phase-changed")
            custom.properties = ["phase": "full", "n": 3, "nested": ["a": [1, .null, true]]]
            custom.clientVersion = "Version 14.2 (14C18)"
            var long = event("e2", name: "sdk-initialized")
            long.clientVersion = String(repeating: "v", count: 200)
            var marked = event("e4", name: "sdk-initialized")
            marked.clientVersion = "v" + String(repeating: "\u{301}", count: 200)
            _ = try await fixture.analytics.ingest(
                "env", "ada", [custom, long, event("e3", name: "stream-displayed"), marked])
            let kept = try await fixture.analytics.recent("env", "ada")
            #expect(kept.contains(custom))
            #expect(kept.first { $0.id == "e2" }?.clientVersion == String(repeating: "v", count: 128))
            #expect(kept.first { $0.id == "e3" }?.clientVersion == "unknown")
            #expect(kept.first { $0.id == "e4" }?.clientVersion.unicodeScalars.count == 128)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an event outside its limits is refused alone`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            var big = event("big")
            big.properties = ["x": .string(String(repeating: "x", count: CardLimits.propertyBytes))]
            var many = event("many")
            many.properties = Dictionary(
                uniqueKeysWithValues: (0...CardLimits.properties).map { ("\($0)", 1) })
            let receipts = try await fixture.analytics.ingest(
                "env", "ada",
                [big, many, event(""), event("nul", card: "a\u{0}"), event("fine", name: "")] + [event("ok")])
            #expect(
                receipts.map(\.refusal?.code) == [
                    .invalidValue, .invalidValue, .invalidValue, .invalidValue, .invalidValue, nil,
                ])
            #expect(try await fixture.analytics.recent("env", "ada").map(\.id) == ["ok"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a display of another user's card marks and counts nothing`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish()
            let card = try await fixture.card()
            _ = try await fixture.analytics.ingest("env", "eve", [event("e1", card: card.id)])
            _ = try await fixture.analytics.ingest("other", "ada", [event("e1", card: card.id)])
            #expect(try await fixture.feed().cards.elements.first?.isSeen == false)
            #expect(try await fixture.analytics.totals("env")[template.id]?.displayed == 0)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `numbers are kept by day and template, and their sums agree with the cards`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish()
            let today = CalendarZone.utc.day(of: fixture.time.now)
            let card = try await fixture.card()
            #expect(try await fixture.act(.dismiss, on: card.id).refusal == nil)
            fixture.time.advance(by: .seconds(86_400))
            let second = try await fixture.card()
            _ = try await fixture.analytics.ingest("env", "ada", [event("e", card: second.id)])
            let days = try await fixture.analytics.daily("env", days: today...today.adding(1), in: .utc)
            #expect(days.map(\.day) == [today, today.adding(1)])
            #expect(days.map(\.totals.sent) == [1, 1] && days.map(\.totals.dismissed) == [1, 0])
            #expect(days.map(\.totals.displayed) == [0, 1])
            #expect(
                try await fixture.analytics.daily("env", templateID: "x", days: today...today, in: .utc)
                    .isEmpty)
            #expect(
                try await fixture.analytics.daily(
                    "env", templateID: template.id, days: today...today, in: .utc
                )
                .count == 1)
            #expect(try await fixture.analytics.totals("env")[template.id]?.sent == 2)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `cards are counted on the day that clocks of the zone show`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish()
            let zone = try #require(CalendarZone("Asia/Kathmandu"))
            // 23:50 and 00:10 there; both lie on the same day of UTC.
            let day = zone.day(of: fixture.time.now).adding(1)
            let late = zone.moment(of: day, secondOfDay: 86_400 - 600)
            fixture.time.advance(by: late - fixture.time.now)
            _ = try await fixture.card()
            fixture.time.advance(by: .seconds(1_200))
            _ = try await fixture.card()
            _ = try await fixture.card()
            let days = try await fixture.analytics.daily(
                "env", templateID: template.id, days: day...day.adding(1), in: zone)
            #expect(days.map(\.day) == [day, day.adding(1)] && days.map(\.totals.sent) == [1, 2])
            let utc = CalendarZone.utc.day(of: late)
            #expect(
                try await fixture.analytics.daily("env", days: utc...utc, in: .utc).map(\.totals.sent) == [3])
        }
    }
}
