import Foundation
import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Logging
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The erasure of what every feature stores about a user.
@Suite(.timeLimit(.minutes(5))) struct EndedUserTests {
    @Test(arguments: SQLEngine.allCases)
    func `deleting an account erases what every feature kept of its user, and of no other`(
        _ engine: SQLEngine
    ) async throws {
        try await AccountErasureFixture.run(engine) { fixture in
            let ada = try await fixture.site.proven("ada@example.com")
            let bob = try await fixture.site.proven("bob@example.com")
            try await fixture.send(to: [ada, bob], id: "both")
            for opening in [ada, bob] { try await fixture.useEveryFeature(as: opening) }
            let before = try await fixture.rowCounts(of: ada), others = try await fixture.rowCounts(of: bob)
            // Every feature must have stored something, or the test proves nothing for it.
            #expect(before.keys.sorted() == AccountErasureFixture.tables)
            #expect(try await fixture.frequencyRowCount() == 2)

            let deleted = try await fixture.site.send(
                "POST", "/v1/devices/accounts/deletion", token: ada.session.accessToken,
                ["password": DeviceSite.password])
            #expect(deleted.status == 204)
            try await fixture.site.app.server.eraseDueUsers()
            let after = try await fixture.rowCounts(of: ada)
            // The audit log keeps its entries for good; the job is the second erasure, ten minutes later.
            #expect(after.keys.sorted() == ["audit_log", "jobs"])
            #expect(try await fixture.rowCounts(of: bob) == others)
            #expect(try await fixture.frequencyRowCount() == 1)
            // The totals stay, and so does what was sent to another user.
            #expect(
                try await fixture.count("(SELECT DISTINCT template_id FROM card_numbers) AS numbers") == 1)
            #expect(try await fixture.count("ad_ledger") > 0)
            #expect(try await fixture.count("card_events") == 2)
            // The user agent with which Ada saw an ad is gone.
            #expect(try await fixture.count("ad_impressions", where: "user_agent <> ''") == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `data that arrives while an account is deleted is erased ten minutes later`(
        _ engine: SQLEngine
    ) async throws {
        try await AccountErasureFixture.run(engine) { fixture in
            let ada = try await fixture.site.proven("ada@example.com")
            try await fixture.site.feature.deleteAccount("harbor", AccountID(ada.account.id))
            try await fixture.site.app.server.eraseDueUsers()
            try await fixture.send(to: [ada], id: "late")
            fixture.site.app.clock.advance(by: UserErasureJobs.secondErasureDelay)
            try await fixture.site.app.server.eraseDueUsers()
            #expect(try await fixture.rowCounts(of: ada).isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user of the app's own tokens is erased in every feature, and may come back as a new one`(
        _ engine: SQLEngine
    ) async throws {
        try await AccountErasureFixture.run(engine) { fixture in
            for user in ["maya-17", "noor-18"] { try await fixture.useEveryFeature(as: UserID(user)) }
            let others = try await fixture.rowCounts(of: "noor-18")
            // Every feature must have stored something, or the test proves nothing for it.
            #expect(
                try await fixture.rowCounts(of: "maya-17").keys.sorted()
                    == AccountErasureFixture.tables.filter { !$0.hasPrefix("device_") })
            let devices = fixture.site.feature
            try await devices.eraseUser("harbor", "maya-17")
            try await fixture.site.app.server.eraseDueUsers()
            #expect(try await fixture.rowCounts(of: "maya-17").keys.sorted() == ["jobs"])
            #expect(try await fixture.rowCounts(of: "noor-18") == others)

            // The server forgot that it has seen the user: a request with the app's token stores the user again.
            let headers = try fixture.behaviors.tenant.headers(fixture.site.app, user: "maya-17")
            #expect(try await fixture.site.app.send("GET", "/test/whoami", headers: headers).status == 200)
            #expect(try await fixture.site.app.services.users.user("harbor", "maya-17") != nil)
            fixture.site.app.clock.advance(by: UserErasureJobs.secondErasureDelay)
            try await fixture.site.app.server.eraseDueUsers()
            #expect(try await fixture.rowCounts(of: "maya-17").isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user who comes back during the erasure gets no card for what was known before`(
        _ engine: SQLEngine
    ) async throws {
        try await AccountErasureFixture.run(engine) { fixture in
            try await fixture.useEveryFeature(as: "maya-17")
            let features = fixture.site.app.server.features, users = fixture.site.app.services.users
            let segment = try await features.behaviors.segments.save(
                "harbor", name: "Looked", SegmentRule([.init(.init(code: 17, days: 365))]))
            #expect(try await features.behaviors.segments.users("harbor", segment.id) == ["maya-17"])
            for (number, feature) in features.devices.erasureJobs.features.enumerated() {
                try await feature.erase("harbor", user: "maya-17")
                try await users.put("harbor", "maya-17", UserProfile())
                var request = CardEventRequest(
                    id: "during-\(number)", name: "ping", target: .segment(segment.id))
                request.variables = ["name": .string("Somebody")]
                try await features.cards.events.send("harbor", request)
                try await eventually(within: .seconds(120)) {
                    try await features.cards.events.recent("harbor").allSatisfy(\.isComplete)
                }
            }
            #expect(try await fixture.count("card_events", where: "event_id LIKE 'during-%'") > 1)
            #expect(try await fixture.count("card_instances", where: "user_id = 'maya-17'") == 0)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an account's user, an unknown user and another environment's user are not erased by mistake`(
        _ engine: SQLEngine
    ) async throws {
        try await AccountErasureFixture.run(engine) { fixture in
            let ada = try await fixture.site.proven("ada@example.com"), devices = fixture.site.feature
            let users = fixture.site.app.services.users
            try await users.put("harbor", UserID(ada.account.userID), UserProfile())
            try await users.put("other", "maya-17", UserProfile())
            let refused = await #expect(throws: Problem.self) {
                try await devices.eraseUser("harbor", UserID(ada.account.userID))
            }
            #expect(refused == .userHasAccount)
            let unknown = await #expect(throws: Problem.self) {
                try await devices.eraseUser("harbor", "maya-17")
            }
            #expect(unknown?.code == .notFound)
            try await fixture.site.app.server.eraseDueUsers()
            #expect(try await users.user("harbor", UserID(ada.account.userID)) != nil)
            #expect(try await users.user("other", "maya-17") != nil)
            // The account is gone, so data that is left under its user id can only be erased in this way.
            try await users.put("harbor", "account:acc_gone", UserProfile())
            try await devices.eraseUser("harbor", "account:acc_gone")
            try await fixture.site.app.server.eraseDueUsers()
            #expect(try await users.user("harbor", "account:acc_gone") == nil)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user who is erased again before the second erasure is erased at once`(
        _ engine: SQLEngine
    ) async throws {
        try await AccountErasureFixture.run(engine) { fixture in
            let devices = fixture.site.feature, users = fixture.site.app.services.users
            for _ in 1...2 {
                try await users.put("harbor", "maya-17", UserProfile(["city": .text("Kiel")]))
                try await devices.eraseUser("harbor", "maya-17")
                try await fixture.site.app.server.eraseDueUsers()
                #expect(try await fixture.rowCounts(of: "maya-17").keys.sorted() == ["jobs"])
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a feature erases a user twice, and one that fails is called until it succeeds`(
        _ engine: SQLEngine
    ) async throws {
        let migrations = JobsSchema.migrations + AccountsSchema.migrations + DevicesSchema.migrations
        try await TestDatabase.with(engine, migrations: migrations) { database in
            let time = TestClock(CardsServerFixture.start), feature = FailingErasure()
            let users = UserErasureJobs.runner(database, time, [feature])
            for id in ["acc_a", "acc_b"] {
                try await database.write {
                    try UserErasureJobs.add("harbor", AccountID(id), at: time.now, in: $0)
                }
            }
            feature.refused.set(to: "account:acc_a")
            try await users.runDue()
            #expect(feature.erased.value == ["account:acc_b"])
            feature.refused.set(to: "")
            try await users.runDue()
            #expect(feature.erased.value == ["account:acc_b"])
            time.advance(by: .seconds(60))
            try await users.runDue()
            #expect(feature.erased.value == ["account:acc_b", "account:acc_a"])
            time.advance(by: UserErasureJobs.secondErasureDelay)
            try await users.runDue()
            try await users.runDue()
            #expect(
                feature.erased.value.sorted()
                    == ["acc_a", "acc_a", "acc_b", "acc_b"].map { UserID(account: AccountID($0)) })
            #expect(
                try await database.read { try $0.rows("SELECT key FROM jobs").isEmpty })
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `each ended user is forgotten by one of three nodes`(_ engine: SQLEngine) async throws {
        let migrations = JobsSchema.migrations + AccountsSchema.migrations + DevicesSchema.migrations
        try await Nodes.with(3, engine, migrations: migrations) { databases in
            let time = TestClock(CardsServerFixture.start), feature = FailingErasure()
            let users = (0..<30).map { UserID("user-\($0)") }
            try await databases[0].write { connection in
                for user in users {
                    try UserErasureJobs.add("harbor", user: user, at: time.now, in: connection)
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for database in databases {
                    let users = UserErasureJobs.runner(database, time, [feature])
                    group.addTask { try await users.runDue() }
                }
                try await group.waitForAll()
            }
            #expect(feature.erased.value.sorted() == users.sorted())
        }
    }

    @Test func `a feature that fails keeps no other from erasing`() async throws {
        let migrations = JobsSchema.migrations + AccountsSchema.migrations + DevicesSchema.migrations
        try await TestDatabase.with(.sqlite, migrations: migrations) { database in
            let time = TestClock(CardsServerFixture.start), features = [FailingErasure(), FailingErasure()]
            let users = UserErasureJobs.runner(database, time, features)
            try await database.write { try UserErasureJobs.add("harbor", user: "maya", at: time.now, in: $0) }
            features[0].refused.set(to: "maya")
            try await users.runDue()
            #expect(features.map(\.erased.value) == [[], ["maya"]])
            features[0].refused.set(to: "")
            time.advance(by: .seconds(60))
            try await users.runDue()
            #expect(features.map(\.erased.value) == [["maya"], ["maya", "maya"]], "all once more")
        }
    }

    @Test func `a stop during an erasure is no failure: no other erasure starts or is postponed`()
        async throws
    {
        let migrations = JobsSchema.migrations + AccountsSchema.migrations + DevicesSchema.migrations
        try await TestDatabase.with(.sqlite, migrations: migrations) { database in
            let time = TestClock(CardsServerFixture.start), stopped = CancellingErasure(),
                next = FailingErasure()
            let users = UserErasureJobs.runner(database, time, [stopped, next])
            for user in ["maya", "noor"] {
                try await database.write {
                    try UserErasureJobs.add("harbor", user: UserID(user), at: time.now, in: $0)
                }
            }
            // A task of its own, which the feature cancels.
            let running = Task {
                await stopped.start.wait()
                try await users.runDue()
            }
            stopped.cancel.set(to: { running.cancel() })
            stopped.start.open()
            try await running.value
            #expect(stopped.requested.value.count == 1 && next.erased.value.isEmpty)
            let due = try await database.read {
                try $0.rows(
                    "SELECT key FROM jobs WHERE attempts = 0 AND payload = '' AND due_at <= ?",
                    [.moment(time.now)])
            }
            #expect(due.count == 2)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `card events are searched for a user in pieces`(_ engine: SQLEngine) async throws {
        try await AccountErasureFixture.run(engine) { fixture in
            for number in 1...5 {
                let users: [UserID] =
                    number == 3 ? ["noor-18"] : number == 4 ? ["noor-18", "maya-17"] : ["maya-17"]
                try await fixture.send(toUsers: users, id: "event-\(number)")
            }
            let database = fixture.site.app.services.database
            try await CardsFeature.eraseEvents(
                "harbor", "maya-17", database, batchSize: 2)
            #expect(try await fixture.count("card_events", where: "request LIKE '%maya-17%'") == 0)
            let left = try await database.read {
                try $0.rows("SELECT event_id FROM card_events ORDER BY event_id").map {
                    try $0.text("event_id")
                }
            }
            #expect(left == ["event-3", "event-4"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an erased user's ad notices lose the device's data, and those of other users keep it`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            site.buyers.refuseNotices { _ in true }
            let unit = try await site.unit()
            try await site.bidder("buyer", 1_000_000)
            for user in ["maya-17", "noor-18"] {
                let headers = try tenant.headers(site.app, user: user)
                let ad = try #require(try await site.requestAd(unit, headers: headers))
                try await site.call(ad.tracker.view)
            }
            let known = "device_ip <> '' AND user_agent <> ''"
            #expect(try await site.count("ad_notices", where: known) == 4, "won and seen, each")
            try await site.ads.erase(site.environmentID, user: "maya-17")
            #expect(try await site.count("ad_notices", where: known) == 2)
            #expect(try await site.count("ad_notices", where: "device_ip = '' AND user_agent = ''") == 2)
            #expect(try await site.count("ad_impressions", where: "user_id = 'noor-18'") == 1)
            #expect(try await site.count("ad_impressions", where: "user_id <> ''") == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user who proves an address gets nothing that a stranger did under it`(
        _ engine: SQLEngine
    ) async throws {
        try await AccountErasureFixture.run(engine) { fixture in
            let stranger = try await fixture.site.create("ada@example.com").as(AccountOpening.self)
            try await fixture.useEveryFeature(as: stranger)
            let mine = try await fixture.site.prove(
                "ada@example.com", try await fixture.site.code("ada@example.com")
            ).as(AccountOpening.self)
            #expect(mine.account.id != stranger.account.id)
            #expect(
                try await fixture.site.send("GET", "/v1/devices", token: stranger.session.accessToken).status
                    == 401)
            try await fixture.site.app.server.eraseDueUsers()
            #expect(try await fixture.rowCounts(of: stranger).keys.sorted() == ["jobs"])
            #expect(try await fixture.feed(mine).isEmpty)
        }
    }
}
