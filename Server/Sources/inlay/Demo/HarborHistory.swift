import Foundation
import InlayCardsServer
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// A week of Harbor's card events, and of its passengers' actions.
struct HarborHistory {
    let server: InlayServer
    let clock: HistoryClock
    private var dice = SplitMix64(seed: 40_128)
    private var behaviors: HarborBehaviors

    init(server: InlayServer, clock: HistoryClock) {
        self.server = server
        self.clock = clock
        behaviors = HarborBehaviors(server)
    }

    /// Replays the days, oldest first.
    mutating func replay() async throws {
        try await behaviors.create()
        let start = clock.now()
        for (day, events) in Self.week.enumerated() {
            let morning = start + .seconds(day * 86_400)
            for (hour, event) in events {
                clock.move(to: morning + .seconds(hour * 3600))
                try await server.features.cards.events.send(HarborCompany.environmentID, event)
            }
            try await simulateVisits(on: morning)
        }
        // The last events have no actions yet, so the day's numbers are incomplete, as in real use.
        for (minutes, event) in Self.justNow {
            clock.move(to: clock.end + .seconds(-minutes * 60))
            try await server.features.cards.events.send(HarborCompany.environmentID, event)
        }
        clock.move(to: clock.end)
        try await server.services.users.writeSeen()
    }

    /// Simulates a day's visits of most passengers. Maya has none, so that the demo's user has all her cards.
    private mutating func simulateVisits(on morning: Timestamp) async throws {
        var visits = HarborPassengers.everyone.dropFirst().map(\.id).filter { _ in dice.chance(62) }
            .map { (passenger: $0, minute: Int.random(in: 11 * 60..<23 * 60, using: &dice)) }
        visits.sort { ($0.minute, $0.passenger) < ($1.minute, $1.passenger) }
        for visit in visits {
            clock.move(to: morning + .seconds(visit.minute * 60))
            try await server.services.users.noteSeen(HarborCompany.environmentID, visit.passenger)
            try await behaviors.visit(of: visit.passenger, at: clock.now(), roll: visit.minute)
            try await actOnFeed(of: visit.passenger)
        }
    }

    /// Tracks the cards of the passenger's feed as displayed, and applies random actions on them.
    private mutating func actOnFeed(of passenger: UserID) async throws {
        let answer = try await server.features.cards.feeds.feed(
            HarborCompany.environmentID, passenger, HarborCompany.containerID)
        guard case .feed(let json) = answer else { return }
        let feed = try JSONDecoder().decode(CardFeed.self, from: Data(json.utf8))
        let shown = feed.cards.elements.map { event("card-displayed", $0) }
        let actions = feed.cards.elements.compactMap { action(on: $0, in: feed) }
        if !shown.isEmpty {
            _ = try await server.features.analytics.store.ingest(
                HarborCompany.environmentID, passenger, shown)
        }
        if !actions.isEmpty {
            _ = try await server.features.cards.actions.apply(
                HarborCompany.environmentID, passenger, clientVersion: "Harbor 4.1", actions)
        }
    }

    private func event(_ name: String, _ card: CardInstance) -> AnalyticsEvent {
        AnalyticsEvent(
            id: UUID().uuidString, name: name, time: clock.now(),
            containerID: HarborCompany.containerID.rawValue,
            cardID: card.id, clientVersion: "Harbor 4.1")
    }

    /// Returns a passenger's action on a card, if any; the chances depend on the template.
    private mutating func action(on card: CardInstance, in feed: CardFeed) -> CardAction? {
        let chances = Self.chancesByEvent[card.eventName] ?? ActionChances(submit: 20, dismiss: 20, snooze: 5)
        let roll = Int.random(in: 0..<100, using: &dice)
        let kind: CardAction.Kind
        switch roll {
        case ..<chances.submit where Self.hasButton(card, in: feed):
            kind = .submit(buttonName: button(of: card, in: feed), values: values(card))
        case ..<(chances.submit + chances.dismiss): kind = .dismiss
        case ..<(chances.submit + chances.dismiss + chances.snooze):
            kind = .snooze(until: clock.now() + .seconds(20 * 3600))
        default: return nil
        }
        return CardAction(
            id: UUID().uuidString, containerID: HarborCompany.containerID.rawValue, cardID: card.id,
            layoutID: card.layoutID, time: clock.now(), kind: kind)
    }

    /// Returns whether the card has a submit button.
    private static func hasButton(_ card: CardInstance, in feed: CardFeed) -> Bool {
        let nodes = feed.layouts[card.layoutID]?.nodes.flatMap(\.flattened) ?? []
        return nodes.contains { if case .submitButton = $0 { true } else { false } }
    }

    private mutating func button(of card: CardInstance, in feed: CardFeed) -> String? {
        let nodes = feed.layouts[card.layoutID]?.nodes.flatMap(\.flattened) ?? []
        let names = nodes.compactMap { node -> String? in
            guard case .submitButton(let button) = node else { return nil }
            return button.buttonName
        }
        return names.isEmpty ? nil : dice.pick(names)
    }

    private mutating func values(_ card: CardInstance) -> [String: CardInputValue] {
        switch card.eventName {
        case "crossing-ended": ["rating": .number(Double(dice.pick([3, 4, 4, 5, 5, 5])))]
        case "late-arrival": ["passengers": .number(Double(dice.pick([1, 1, 2, 4])))]
        case "cafe-offer": ["buns": .number(Double(dice.pick([1, 2, 2, 6])))]
        default: [:]
        }
    }
}

extension HarborHistory {
    /// The chances in percent of a passenger's actions on a card.
    private struct ActionChances {
        let submit: Int
        let dismiss: Int
        let snooze: Int
    }

    private static let chancesByEvent = [
        "boarding-open": ActionChances(submit: 0, dismiss: 58, snooze: 14),
        "wind-warning": ActionChances(submit: 64, dismiss: 6, snooze: 2),
        "late-arrival": ActionChances(submit: 47, dismiss: 21, snooze: 8),
        "crossing-ended": ActionChances(submit: 33, dismiss: 30, snooze: 4),
        "pass-expiring": ActionChances(submit: 24, dismiss: 12, snooze: 22),
        "cafe-offer": ActionChances(submit: 28, dismiss: 34, snooze: 3),
        "bicycle-space": ActionChances(submit: 0, dismiss: 52, snooze: 2),
        "dog-welcome": ActionChances(submit: 0, dismiss: 71, snooze: 0),
        "timetable-change": ActionChances(submit: 0, dismiss: 30, snooze: 31),
        "car-deck": ActionChances(submit: 55, dismiss: 15, snooze: 0),
        "night-tour": ActionChances(submit: 18, dismiss: 46, snooze: 9),
        "loyalty-level": ActionChances(submit: 0, dismiss: 25, snooze: 4),
    ]

    /// The events of seven days by the hour; the last day ends now.
    private static let week: [[(hour: Int, event: CardEventRequest)]] = [
        [(1, everyone("timetable-change")), (3, island("bicycle-space", "Kumlinge"))],
        [
            (2, island("crossing-ended", "Sottunga", ["destination": "Sottunga"])),
            (6, captains("night-tour")),
        ],
        [(1, everyone("cafe-offer")), (5, island("late-arrival", "Kumlinge"))],
        [(2, island("wind-warning", "Mainland", ["wind": 19])), (4, mateLevel("pass-expiring"))],
        [
            (1, island("crossing-ended", "Mainland", ["destination": "the mainland"])),
            (3, visitorLevel("dog-welcome")),
        ],
        [(2, everyone("night-tour")), (5, island("car-deck", "Brandö", ["departure": "17:30"]))],
        [
            (
                1,
                island("boarding-open", "Brandö", ["destination": "Brandö", "departure": "09:40", "pier": 3])
            ),
            (2, island("late-arrival", "Brandö")), (3, maya("loyalty-level", ["name": "Maya"])),
            (4, everyone("wind-warning", ["wind": 17])), (5, captains("pass-expiring")),
        ],
    ]

    /// The events shortly before the demo starts, by the minutes before. None is for Maya.
    private static let justNow: [(minutes: Int, event: CardEventRequest)] = [
        (47, mateLevel("cafe-offer")),
        (12, island("crossing-ended", "Mainland", ["destination": "the mainland"])),
    ]

    private static func everyone(_ name: String, _ variables: [String: JSONValue] = [:]) -> CardEventRequest {
        CardEventRequest(name: name, target: .all, variables: variables)
    }

    private static func island(
        _ name: String, _ island: String, _ variables: [String: JSONValue] = [:]
    ) -> CardEventRequest {
        CardEventRequest(
            name: name, target: .profile(field: "city", value: island), variables: variables)
    }

    private static func maya(_ name: String, _ variables: [String: JSONValue]) -> CardEventRequest {
        CardEventRequest(name: name, target: .users([HarborCompany.maya]), variables: variables)
    }

    private static func captains(_ name: String) -> CardEventRequest { level(name, "captain") }
    private static func mateLevel(_ name: String) -> CardEventRequest { level(name, "mate") }
    private static func visitorLevel(_ name: String) -> CardEventRequest { level(name, "guest") }

    private static func level(_ name: String, _ level: String) -> CardEventRequest {
        CardEventRequest(name: name, target: .profile(field: "level", value: level))
    }
}
