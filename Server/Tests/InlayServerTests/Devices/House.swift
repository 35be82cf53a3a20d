import Foundation
import InlaySQL
import InlayWire
import NIOConcurrencyHelpers

@testable import InlayServer

/// A server in which an account's user uses every room.
struct House: Sendable {
    /// Where something names the user once they have lived here.
    static let tables = [
        "ad_impressions", "ad_notices", "analytics_events", "behavior_events", "behavior_refusals",
        "card_actions", "card_events", "card_feeds", "card_instances", "device_accounts",
        "device_pairings", "device_sessions", "device_versions", "recipient_values", "recipients",
        "user_fields", "users",
        "xmlapi_answers",
    ]

    let site: DeviceSite
    let behaviors: BehaviorSite
    let ads: AdSite
    let unit: AdUnit
    let listID: Int64

    static func run<R: Sendable>(
        _ engine: SQLEngine, _ body: @Sendable (House) async throws -> R
    ) async throws -> R {
        try await TestApp.run(
            engine,
            configure: {
                $0.rates = .off
                $0.adsPrivateAddresses = true
                $0.adsMilliseconds = 30_000
            }
        ) { app in
            let behaviors = try await BehaviorSite.make(app)
            let site = try await DeviceSite.make(app)
            let ads = try await AdSite.make(app, "harbor")
            // Port 1 answers nobody: the notice stays where it is.
            let unit = try await ads.unit(.rewarded) {
                $0.reward = .init(amount: 1, currency: "coins", callbackURL: "http://127.0.0.1:1/reward")
            }
            try await ads.campaign(.rewarded) { $0.cap = .init(count: 9, seconds: 86_400) }
            let cards = app.server.features.cards
            try await cards.containers.save("harbor", id: "main", name: "Main")
            let template = try await cards.templates.create("harbor", .sample())
            _ = try await cards.templates.publish("harbor", template.id)
            let list = try await behaviors.database(key: false)
            return try await body(
                House(site: site, behaviors: behaviors, ads: ads, unit: unit, listID: list.id))
        }
    }

    private var features: ServerFeatures { site.app.server.features }

    /// A day of a user: something in every room.
    func live(_ opening: AccountOpening) async throws {
        _ = try await site.pairing(opening.session.accessToken)
        try await live(
            opening.account.userID, named: opening.account.id,
            behaviors.tenant.headers(token: opening.session.accessToken))
    }

    /// The same of a user of the app's own tokens.
    func live(_ userID: String) async throws {
        try await live(userID, named: userID, try behaviors.tenant.headers(site.app, user: userID))
    }

    private func live(_ userID: String, named name: String, _ headers: [String: String]) async throws {
        try await site.app.services.users.put(
            "harbor", userID, UserProfile(["city": .text("Kiel"), "boat": .text("Ida")]))
        try await send(toUsers: [userID], id: "own \(name)")
        try await useCards(userID, name)
        let good = BehaviorSite.event("e \(name)"), bad = BehaviorSite.event("x \(name)", "none")
        _ = try await behaviors.submit(BehaviorSite.body([good, bad]), headers: headers)
        let contact = try await behaviors.xml(
            "AddRecipient",
            "<LIST_ID>\(listID)</LIST_ID>" + BehaviorSite.column("Mobile User Id", "device \(name)")
                + BehaviorSite.column("Phone", "1"),
            headers: headers.merging([InlayHeader.requestID: "r-1"]) { $1 })
        guard contact.isSuccess else { throw TestFailure("No contact was made.") }
        try await watch(headers)
    }

    private func useCards(_ userID: String, _ name: String) async throws {
        guard let card = try await feed(userID).first else { throw TestFailure("No card came.") }
        let moment = site.app.clock.now
        let shown = AnalyticsEvent(id: "a \(name)", name: "card-displayed", time: moment, cardID: card.id)
        _ = try await features.analytics.store.take("harbor", userID, [shown])
        let action = CardAction(
            id: "act \(name)", containerID: "main", cardID: card.id, time: moment, kind: .dismiss)
        _ = try await features.cards.actions.apply("harbor", userID, clientVersion: "1", [action])
    }

    /// Asks for a rewarded ad as the user and sees it to its end.
    private func watch(_ headers: [String: String]) async throws {
        let answer = try await site.app.sendJSON(
            "POST", "/v1/ads/request", headers: headers, ads.body(unit))
        let ad = try answer.as(AdResponse.self)
        let events = ad.ext?.events ?? [:]
        for tracker in [ad.tracker.view, events["complete"], events["reward"]] {
            guard let tracker else { throw TestFailure("A tracker is missing: \(events.keys)") }
            try await ads.call(tracker)
            // The video takes its time.
            site.app.clock.advance(by: .seconds(6))
        }
    }

    /// Sends a card to some users by name.
    func send(to openings: [AccountOpening], id: String) async throws {
        try await send(toUsers: openings.map(\.account.userID), id: id)
    }

    func send(toUsers users: [String], id: String) async throws {
        var request = CardEventRequest(id: id, name: "ping", target: .users(users))
        request.variables = ["name": .string("Somebody")]
        try await features.cards.events.send("harbor", request)
    }

    func feed(_ opening: AccountOpening) async throws -> [CardInstance] {
        try await feed(opening.account.userID)
    }

    private func feed(_ userID: String) async throws -> [CardInstance] {
        guard case .feed(let json) = try await features.cards.feeds.feed("harbor", userID, "main") else {
            return []
        }
        return try JSONDecoder().decode(CardFeed.self, from: Data(json.utf8)).cards.elements
    }

    // MARK: Looking

    /// In every table of the database, how many rows name an account's user.
    func traces(of opening: AccountOpening) async throws -> [String: Int] {
        try await traces(of: opening.account.id)
    }

    /// The same of any user.
    func traces(of userID: String) async throws -> [String: Int] {
        let database = site.app.services.database
        let catalog =
            database.engine == .sqlite
            ? "SELECT name FROM sqlite_master WHERE type = 'table'"
            : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()"
        return try await database.read { connection in
            var found: [String: Int] = [:]
            for table in try connection.rows(catalog).map({ try $0.text("name") }) {
                let rows = try connection.rows("SELECT * FROM \(table)")
                let count = rows.count { "\($0)".contains(userID) }
                if count > 0 { found[table] = count }
            }
            return found
        }
    }

    func count(_ table: String, where condition: String = "1 = 1") async throws -> Int {
        try await site.app.services.database.read {
            try $0.row("SELECT COUNT(*) AS n FROM \(table) WHERE \(condition)")?.int("n") ?? 0
        }
    }

    func frequencies() async throws -> Int { try await count("ad_frequency") }
}

/// A room that does not forget one user.
final class UnwillingRoom: UserErasure {
    let refused = Kept("")
    let asked = Kept<[String]>([])

    func erase(_ environmentID: String, user userID: String) async throws {
        if userID == refused.value { throw TestFailure("Not yet.") }
        asked.change { $0.append(userID) }
    }
}

/// A room in which a stop finds whoever asks it.
final class StoppedRoom: UserErasure {
    let asked = Kept<[String]>([])

    func erase(_ environmentID: String, user userID: String) async throws {
        asked.change { $0.append(userID) }
        withUnsafeCurrentTask { $0?.cancel() }
        try Task.checkCancellation()
    }
}

/// A value that a test and what it watches share.
final class Kept<Value: Sendable>: Sendable {
    private let box: NIOLockedValueBox<Value>

    init(_ value: Value) { box = NIOLockedValueBox(value) }

    var value: Value { box.withLockedValue { $0 } }

    func set(to value: Value) { box.withLockedValue { $0 = value } }

    func change(_ body: (inout Value) -> Void) { box.withLockedValue { body(&$0) } }
}

extension EndedUsers {
    /// A round, with the end of one that the server's own loop may have begun.
    func wholeRound() async throws {
        try await round()
        try await within(.seconds(60)) {
            for await _ in Ticks(every: .milliseconds(10)) {
                if try await !isUnderWay() { return }
            }
        }
    }

    /// Whether a claim has neither been settled nor come to its end.
    private func isUnderWay() async throws -> Bool {
        let end = SQLValue.moment(now() + Self.lease)
        return try await database.read {
            try $0.row("SELECT 1 AS n FROM device_ended_users WHERE next_at <= ? LIMIT 1", [end]) != nil
        }
    }
}
