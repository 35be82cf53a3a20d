import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Logging
import Metrics

@testable import InlayAdsServer
@testable import InlayCardsServer
@testable import InlayDevicesServer
@testable import InlayServer
@testable import InlayServerCore

/// A server with data for a user in every feature.
struct AccountErasureFixture: Sendable {
    /// The tables with rows that contain a user's id after `useEveryFeature`.
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
        _ engine: SQLEngine, _ body: @Sendable (AccountErasureFixture) async throws -> R
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
            // Nothing listens at port 1, so the notice stays in its table.
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
                AccountErasureFixture(site: site, behaviors: behaviors, ads: ads, unit: unit, listID: list.id)
            )
        }
    }

    private var features: ServerFeatures { site.app.server.features }

    /// Uses every feature as the user of an account.
    func useEveryFeature(as opening: AccountOpening) async throws {
        _ = try await site.pairing(opening.session.accessToken)
        try await useEveryFeature(
            as: UserID(opening.account.userID), named: opening.account.id,
            behaviors.tenant.headers(token: opening.session.accessToken))
    }

    /// Uses every feature as a user of a token that the app's backend signs.
    func useEveryFeature(as userID: UserID) async throws {
        try await useEveryFeature(
            as: userID, named: userID.rawValue, try behaviors.tenant.headers(site.app, user: userID.rawValue))
    }

    private func useEveryFeature(as userID: UserID, named name: String, _ headers: [String: String])
        async throws
    {
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

    private func useCards(_ userID: UserID, _ name: String) async throws {
        guard let card = try await feed(userID).first else { throw TestFailure("No card came.") }
        let moment = site.app.clock.now
        let shown = AnalyticsEvent(id: "a \(name)", name: "card-displayed", time: moment, cardID: card.id)
        _ = try await features.analytics.store.ingest("harbor", userID, [shown])
        let action = CardAction(
            id: "act \(name)", containerID: "main", cardID: card.id, time: moment, kind: .dismiss)
        _ = try await features.cards.actions.apply("harbor", userID, clientVersion: "1", [action])
    }

    /// Requests a rewarded ad as the user, and reports its view, end and reward.
    private func watch(_ headers: [String: String]) async throws {
        let answer = try await site.app.sendJSON(
            "POST", "/v1/ads/request", headers: headers, ads.body(unit))
        let ad = try answer.as(AdResponse.self)
        let events = ad.ext?.events ?? [:]
        for tracker in [ad.tracker.view, events["complete"], events["reward"]] {
            guard let tracker else { throw TestFailure("A tracker is missing: \(events.keys)") }
            try await ads.call(tracker)
            // The server refuses events that come sooner than the video can play.
            site.app.clock.advance(by: .seconds(6))
        }
    }

    /// Sends a card to the users of these accounts.
    func send(to openings: [AccountOpening], id: CardEventID) async throws {
        try await send(toUsers: openings.map { UserID($0.account.userID) }, id: id)
    }

    func send(toUsers users: [UserID], id: CardEventID) async throws {
        var request = CardEventRequest(id: id, name: "ping", target: .users(users))
        request.variables = ["name": .string("Somebody")]
        try await features.cards.events.send("harbor", request)
    }

    func feed(_ opening: AccountOpening) async throws -> [CardInstance] {
        try await feed(UserID(opening.account.userID))
    }

    private func feed(_ userID: UserID) async throws -> [CardInstance] {
        guard case .feed(let json) = try await features.cards.feeds.feed("harbor", userID, "main") else {
            return []
        }
        return try JSONDecoder().decode(CardFeed.self, from: Data(json.utf8)).cards.elements
    }

    // MARK: Stored rows

    /// Returns the number of rows that contain the id of an account's user, by table; tables without any are left out.
    func rowCounts(of opening: AccountOpening) async throws -> [String: Int] {
        try await rowCounts(of: UserID(opening.account.id))
    }

    /// Returns the number of rows that contain a user's id, by table; tables without any are left out.
    func rowCounts(of userID: UserID) async throws -> [String: Int] {
        let database = site.app.services.database
        let catalog =
            database.engine == .sqlite
            ? "SELECT name FROM sqlite_master WHERE type = 'table'"
            : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()"
        return try await database.read { connection in
            var found: [String: Int] = [:]
            for table in try connection.rows(catalog).map({ try $0.text("name") }) {
                let rows = try connection.rows("SELECT * FROM \(table)")
                let count = rows.count { "\($0)".contains(userID.rawValue) }
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

    func frequencyRowCount() async throws -> Int { try await count("ad_frequency") }
}

/// A feature that fails to erase one user.
final class FailingErasure: UserErasure {
    let refused = SharedValue(UserID(""))
    let erased = SharedValue<[UserID]>([])

    func erase(_ environmentID: EnvironmentID, user userID: UserID) async throws {
        if userID == refused.value { throw TestFailure("Not yet.") }
        erased.change { $0.append(userID) }
    }
}

/// A feature that cancels the task that runs its erasure.
final class CancellingErasure: UserErasure {
    let requested = SharedValue<[UserID]>([])
    /// Lets the task that runs jobs begin.
    let start = Latch()
    /// Cancels the task that runs jobs.
    let cancel = SharedValue<@Sendable () -> Void>({})

    func erase(_ environmentID: EnvironmentID, user userID: UserID) async throws {
        requested.change { $0.append(userID) }
        cancel.value()
        try Task.checkCancellation()
    }
}

extension UserErasureJobs {
    /// Returns a job runner that erases ended users with these features only.
    static func runner(
        _ database: any SQLDatabase, _ time: TestClock, _ features: [any UserErasure]
    ) -> JobRunner {
        JobRunner(
            JobQueue(database: database, now: { time.now }),
            [UserErasureJobs(now: { time.now }, features: features)], logger: .quiet,
            metrics: NOOPMetricsHandler.instance)
    }
}

extension InlayServer {
    /// Erases the users who are due now, and waits for those that the server's own runner is erasing.
    func eraseDueUsers() async throws {
        let (queue, now) = (services.jobs, services.now())
        let runner = JobRunner(
            queue, [features.devices.erasureJobs], logger: .quiet, metrics: services.metrics)
        try await within(.seconds(60)) {
            try await runner.runDue()
            for await _ in TimerSequence(every: .milliseconds(10)) {
                let isUnderWay = try await queue.database.read {
                    try $0.row(
                        "SELECT 1 AS n FROM jobs WHERE kind = ? AND (due_at <= ? OR claim IS NOT NULL) LIMIT 1",
                        [.text(UserErasureJobs.kind.rawValue), .moment(now)]) != nil
                }
                if !isUnderWay { return }
            }
        }
    }
}
