import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Logging
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// What every room keeps of an account's user, and that it goes with the account.
@Suite(.timeLimit(.minutes(5))) struct EndedUserTests {
    @Test(arguments: SQLEngine.allCases)
    func `with an account goes what any room kept under its user, and nobody else's`(
        _ engine: SQLEngine
    ) async throws {
        try await House.run(engine) { house in
            let ada = try await house.site.proven("ada@example.com")
            let bob = try await house.site.proven("bob@example.com")
            try await house.send(to: [ada, bob], id: "both")
            for opening in [ada, bob] { try await house.live(opening) }
            let before = try await house.traces(of: ada), others = try await house.traces(of: bob)
            // The test is worth nothing for a room that has kept nothing.
            #expect(before.keys.sorted() == House.tables)
            #expect(try await house.frequencies() == 2)

            let deleted = try await house.site.send(
                "POST", "/v1/devices/accounts/deletion", token: ada.session.accessToken,
                ["password": DeviceSite.password])
            #expect(deleted.status == 204)
            try await house.site.app.server.forgetDueUsers()
            let after = try await house.traces(of: ada)
            // Who asked for what is told to the operators for good; the other is the note of the second round.
            #expect(after.keys.sorted() == ["audit_log", "jobs"])
            #expect(try await house.traces(of: bob) == others)
            #expect(try await house.frequencies() == 1)
            // The sums stay, and what another was sent.
            #expect(
                try await house.count("(SELECT DISTINCT template_id FROM card_numbers) AS numbers") == 1)
            #expect(try await house.count("ad_ledger") > 0)
            #expect(try await house.count("card_events") == 2)
            // With what an ad was seen is told no more.
            #expect(try await house.count("ad_impressions", where: "user_agent <> ''") == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `what was under way when an account ended is forgotten ten minutes later`(
        _ engine: SQLEngine
    ) async throws {
        try await House.run(engine) { house in
            let ada = try await house.site.proven("ada@example.com")
            try await house.site.feature.deleteAccount("harbor", AccountID(ada.account.id))
            try await house.site.app.server.forgetDueUsers()
            try await house.send(to: [ada], id: "late")
            house.site.app.clock.advance(by: EndedUsers.again)
            try await house.site.app.server.forgetDueUsers()
            #expect(try await house.traces(of: ada).isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user of the app's own tokens is erased in every room, and may come back as a new one`(
        _ engine: SQLEngine
    ) async throws {
        try await House.run(engine) { house in
            for user in ["maya-17", "noor-18"] { try await house.live(UserID(user)) }
            let others = try await house.traces(of: "noor-18")
            // The test is worth nothing for a room that has kept nothing.
            #expect(
                try await house.traces(of: "maya-17").keys.sorted()
                    == House.tables.filter { !$0.hasPrefix("device_") })
            let devices = house.site.feature
            try await devices.eraseUser("harbor", "maya-17")
            try await house.site.app.server.forgetDueUsers()
            #expect(try await house.traces(of: "maya-17").keys.sorted() == ["jobs"])
            #expect(try await house.traces(of: "noor-18") == others)

            // An app that goes on with its token is not taken for one that is known.
            let headers = try house.behaviors.tenant.headers(house.site.app, user: "maya-17")
            #expect(try await house.site.app.send("GET", "/test/whoami", headers: headers).status == 200)
            #expect(try await house.site.app.services.users.user("harbor", "maya-17") != nil)
            house.site.app.clock.advance(by: EndedUsers.again)
            try await house.site.app.server.forgetDueUsers()
            #expect(try await house.traces(of: "maya-17").isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user who comes back during the erasure gets no card for what was known before`(
        _ engine: SQLEngine
    ) async throws {
        try await House.run(engine) { house in
            try await house.live("maya-17")
            let features = house.site.app.server.features, users = house.site.app.services.users
            let segment = try await features.behaviors.segments.save(
                "harbor", name: "Looked", SegmentRule([.init(.init(code: 17, days: 365))]))
            #expect(try await features.behaviors.segments.users("harbor", segment.id) == ["maya-17"])
            for (number, feature) in features.devices.ended.features.enumerated() {
                try await feature.erase("harbor", user: "maya-17")
                try await users.put("harbor", "maya-17", UserProfile())
                var request = CardEventRequest(
                    id: "during-\(number)", name: "ping", target: .segment(segment.id))
                request.variables = ["name": .string("Somebody")]
                try await features.cards.events.send("harbor", request)
                try await within {
                    while try await features.cards.events.recent("harbor").contains(where: { !$0.isComplete })
                    {
                        await Task.yield()
                    }
                }
            }
            #expect(try await house.count("card_events", where: "event_id LIKE 'during-%'") > 1)
            #expect(try await house.count("card_instances", where: "user_id = 'maya-17'") == 0)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the user of an account, nobody, and another environment's user are not erased by a mistake`(
        _ engine: SQLEngine
    ) async throws {
        try await House.run(engine) { house in
            let ada = try await house.site.proven("ada@example.com"), devices = house.site.feature
            let users = house.site.app.services.users
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
            try await house.site.app.server.forgetDueUsers()
            #expect(try await users.user("harbor", UserID(ada.account.userID)) != nil)
            #expect(try await users.user("other", "maya-17") != nil)
            // What is left under the name of an account that is gone has no other way out.
            try await users.put("harbor", "account:acc_gone", UserProfile())
            try await devices.eraseUser("harbor", "account:acc_gone")
            try await house.site.app.server.forgetDueUsers()
            #expect(try await users.user("harbor", "account:acc_gone") == nil)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user who is erased again before the second look is forgotten at once again`(
        _ engine: SQLEngine
    ) async throws {
        try await House.run(engine) { house in
            let devices = house.site.feature, users = house.site.app.services.users
            for _ in 1...2 {
                try await users.put("harbor", "maya-17", UserProfile(["city": .text("Kiel")]))
                try await devices.eraseUser("harbor", "maya-17")
                try await house.site.app.server.forgetDueUsers()
                #expect(try await house.traces(of: "maya-17").keys.sorted() == ["jobs"])
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a room is asked at once and once more, and one that fails until it does not`(
        _ engine: SQLEngine
    ) async throws {
        let migrations = JobsSchema.migrations + AccountsSchema.migrations + DevicesSchema.migrations
        try await TestDatabase.with(engine, migrations: migrations) { database in
            let time = TestTime(CardWorld.start), room = UnwillingRoom()
            let users = EndedUsers.runner(database, time, [room])
            for id in ["acc_a", "acc_b"] {
                try await database.write { try EndedUsers.add("harbor", AccountID(id), at: time.now, in: $0) }
            }
            room.refused.set(to: "account:acc_a")
            try await users.runDue()
            #expect(room.asked.value == ["account:acc_b"])
            room.refused.set(to: "")
            try await users.runDue()
            #expect(room.asked.value == ["account:acc_b"])
            time.advance(.seconds(60))
            try await users.runDue()
            #expect(room.asked.value == ["account:acc_b", "account:acc_a"])
            time.advance(EndedUsers.again)
            try await users.runDue()
            try await users.runDue()
            #expect(
                room.asked.value.sorted()
                    == ["acc_a", "acc_a", "acc_b", "acc_b"].map { UserID(account: AccountID($0)) })
            #expect(
                try await database.read { try $0.rows("SELECT key FROM jobs").isEmpty })
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `each ended user is forgotten by one of three nodes`(_ engine: SQLEngine) async throws {
        let migrations = JobsSchema.migrations + AccountsSchema.migrations + DevicesSchema.migrations
        try await Nodes.with(3, engine, migrations: migrations) { databases in
            let time = TestTime(CardWorld.start), room = UnwillingRoom()
            let users = (0..<30).map { UserID("user-\($0)") }
            try await databases[0].write { connection in
                for user in users { try EndedUsers.add("harbor", user: user, at: time.now, in: connection) }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for database in databases {
                    let users = EndedUsers.runner(database, time, [room])
                    group.addTask { try await users.runDue() }
                }
                try await group.waitForAll()
            }
            #expect(room.asked.value.sorted() == users.sorted())
        }
    }

    @Test func `a room that fails keeps no other from forgetting`() async throws {
        let migrations = JobsSchema.migrations + AccountsSchema.migrations + DevicesSchema.migrations
        try await TestDatabase.with(.sqlite, migrations: migrations) { database in
            let time = TestTime(CardWorld.start), rooms = [UnwillingRoom(), UnwillingRoom()]
            let users = EndedUsers.runner(database, time, rooms)
            try await database.write { try EndedUsers.add("harbor", user: "maya", at: time.now, in: $0) }
            rooms[0].refused.set(to: "maya")
            try await users.runDue()
            #expect(rooms.map(\.asked.value) == [[], ["maya"]])
            rooms[0].refused.set(to: "")
            time.advance(.seconds(60))
            try await users.runDue()
            #expect(rooms.map(\.asked.value) == [["maya"], ["maya", "maya"]], "all once more")
        }
    }

    @Test func `a stop while a user is forgotten is no failure: nobody further is asked or put off`()
        async throws
    {
        let migrations = JobsSchema.migrations + AccountsSchema.migrations + DevicesSchema.migrations
        try await TestDatabase.with(.sqlite, migrations: migrations) { database in
            let time = TestTime(CardWorld.start), stopped = StoppedRoom(), next = UnwillingRoom()
            let users = EndedUsers.runner(database, time, [stopped, next])
            for user in ["maya", "noor"] {
                try await database.write {
                    try EndedUsers.add("harbor", user: UserID(user), at: time.now, in: $0)
                }
            }
            // A task of its own, which the room cancels.
            let running = Task {
                await stopped.start.wait()
                try await users.runDue()
            }
            stopped.stop.set(to: { running.cancel() })
            stopped.start.open()
            try await running.value
            #expect(stopped.asked.value.count == 1 && next.asked.value.isEmpty)
            let due = try await database.read {
                try $0.rows(
                    "SELECT key FROM jobs WHERE attempts = 0 AND payload = '' AND due_at <= ?",
                    [.moment(time.now)])
            }
            #expect(due.count == 2)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user is looked for in the events of cards piece by piece`(_ engine: SQLEngine) async throws {
        try await House.run(engine) { house in
            for number in 1...5 {
                let users: [UserID] =
                    number == 3 ? ["noor-18"] : number == 4 ? ["noor-18", "maya-17"] : ["maya-17"]
                try await house.send(toUsers: users, id: "event-\(number)")
            }
            let database = house.site.app.services.database
            try await CardsFeature.eraseEvents(
                "harbor", "maya-17", database, piece: 2)
            #expect(try await house.count("card_events", where: "request LIKE '%maya-17%'") == 0)
            let left = try await database.read {
                try $0.rows("SELECT event_id FROM card_events ORDER BY event_id").map {
                    try $0.text("event_id")
                }
            }
            #expect(left == ["event-3", "event-4"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `notices of a user's ads say no more of the device, and those of others do`(_ engine: SQLEngine)
        async throws
    {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            site.buyers.refuse { _ in true }
            let unit = try await site.unit()
            try await site.bidder("buyer", 1_000_000)
            for user in ["maya-17", "noor-18"] {
                let headers = try tenant.headers(site.app, user: user)
                let ad = try #require(try await site.ask(unit, headers: headers))
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
    func `whoever proves an address gets nothing that a stranger did under it`(
        _ engine: SQLEngine
    ) async throws {
        try await House.run(engine) { house in
            let stranger = try await house.site.create("ada@example.com").as(AccountOpening.self)
            try await house.live(stranger)
            let mine = try await house.site.prove(
                "ada@example.com", try await house.site.code("ada@example.com")
            ).as(AccountOpening.self)
            #expect(mine.account.id != stranger.account.id)
            #expect(
                try await house.site.send("GET", "/v1/devices", token: stranger.session.accessToken).status
                    == 401)
            try await house.site.app.server.forgetDueUsers()
            #expect(try await house.traces(of: stranger).keys.sorted() == ["jobs"])
            #expect(try await house.feed(mine).isEmpty)
        }
    }
}
