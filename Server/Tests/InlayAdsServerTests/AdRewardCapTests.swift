import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests that rewards have a cap for each user, unit and day, and need a user unless the unit says otherwise.
@Suite(.timeLimit(.minutes(3))) struct AdRewardCapTests {
    /// Requests a video, reports its view and its end, and returns the outcome of its reward.
    private func earn(
        _ site: AdSite, _ unit: AdUnit, as headers: [String: String] = [:], from address: String? = nil,
        ifa: String = ""
    ) async throws -> AdBooking.Outcome {
        let ad = try #require(try await site.requestAd(unit, ifa: ifa, from: address, headers: headers))
        try await site.call(ad.tracker.view)
        site.app.clock.advance(by: .seconds(6))
        try await site.call(try #require(ad.ext?.events?["complete"]))
        return try await site.ads.booking.book(site.token(try #require(ad.ext?.events?["reward"])))
    }

    private func unit(
        _ site: AdSite, maximum: Int, needsUser: Bool = true
    ) async throws -> AdUnit {
        try await site.campaign(.rewarded)
        return try await site.unit(.rewarded) {
            $0.reward = .init(
                amount: 1, currency: "coins", callbackURL: "http://127.0.0.1:1/reward",
                maximumPerDay: maximum, needsUser: needsUser)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `with a cap of five the sixth reward of a user's day is refused, and no call leaves`(
        _ engine: SQLEngine
    ) async throws {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let unit = try await unit(site, maximum: 5)
            func earn(_ user: String) async throws -> AdBooking.Outcome {
                try await self.earn(site, unit, as: try tenant.headers(site.app, user: user))
            }
            for _ in 0..<5 { #expect(try await earn("ada") == .booked) }
            #expect(try await earn("ada") == .refused(.rewardCap))
            #expect(try await site.refused() == ["reward-cap": 1])
            #expect(try await site.count("ad_notices", where: "kind = 'reward'") == 5)
            #expect(try await site.count("ad_ledger", where: "event = 'reward'") == 5)
            // Another user, another unit and the next day have their own cap.
            #expect(try await earn("bob") == .booked)
            let second = try await self.unit(site, maximum: 1)
            let headers = try tenant.headers(site.app, user: "ada")
            #expect(try await self.earn(site, second, as: headers) == .booked)
            site.app.clock.advance(by: .seconds(86_400))
            #expect(try await earn("ada") == .booked)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a cap is exact when the rewards of one user are reported at once`(_ engine: SQLEngine) async throws
    {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let unit = try await unit(site, maximum: 5)
            let headers = try tenant.headers(site.app, user: "ada")
            var rewards: [String] = []
            for _ in 0..<20 {
                let ad = try #require(try await site.requestAd(unit, headers: headers))
                try await site.call(ad.tracker.view)
                site.app.clock.advance(by: .seconds(6))
                try await site.call(try #require(ad.ext?.events?["complete"]))
                rewards.append(try #require(ad.ext?.events?["reward"]))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for reward in rewards { group.addTask { try await site.call(reward) } }
                try await group.waitForAll()
            }
            #expect(try await site.count("ad_ledger", where: "event = 'reward'") == 5)
            #expect(try await site.refused() == ["reward-cap": 15])
        }
    }

    @Test func `a reward that two nodes get at a time is counted once`() async throws {
        try await AdSite.run(.postgresql) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let unit = try await unit(site, maximum: 5)
            let headers = try tenant.headers(site.app, user: "ada")
            let ad = try #require(try await site.requestAd(unit, headers: headers))
            try await site.call(ad.tracker.view)
            site.app.clock.advance(by: .seconds(6))
            try await site.call(try #require(ad.ext?.events?["complete"]))
            let token = site.token(try #require(ad.ext?.events?["reward"]))
            let node = site.ads.booking
            let recording = RecordingDatabase(site.database.lane("other-node", sharesCommits: true))
            let other = AdBooking(
                database: recording, keys: node.keys, catalog: node.catalog, counts: node.counts,
                now: node.now, wake: node.wake)
            // The first node books the reward when the other one has checked it and counts it next.
            let (reached, goesOn) = (AsyncStream<Void>.makeStream(), BlockingLatch())
            recording.beforeEachStatement {
                guard $0.sql.contains("INSERT INTO ad_reward_counts") else { return }
                reached.continuation.yield()
                try goesOn.wait()
            }
            let booking = Task { try await other.book(token) }
            for await _ in reached.stream { break }
            let booked = await Task { try await within { try await node.book(token) } }.result
            goesOn.open()
            #expect(try await booking.value == .refused(.duplicate))
            #expect(try booked.get() == .booked)
            let taken = try await site.database.read {
                try $0.rows("SELECT taken FROM ad_reward_counts").map { try $0.int("taken") }
            }
            #expect(taken == [1])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `without a user's token there is no reward, unless the unit says otherwise`(_ engine: SQLEngine)
        async throws
    {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let strict = try await unit(site, maximum: 5)
            #expect(strict.reward?.needsUser == true)
            #expect(try await earn(site, strict, ifa: UUID().uuidString) == .refused(.noUser))
            #expect(try await site.refused() == ["no-user": 1])
            #expect(try await site.count("ad_notices", where: "kind = 'reward'") == 0)
            let headers = try tenant.headers(site.app, user: "ada")
            #expect(try await earn(site, strict, as: headers) == .booked)
            let open = try await unit(site, maximum: 5, needsUser: false)
            #expect(try await earn(site, open) == .booked)
        }
    }

    @Test func `without a user, a device has the cap of one user, and a network that of twenty`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await unit(site, maximum: 1, needsUser: false)
            let phone = UUID().uuidString
            #expect(try await earn(site, unit, ifa: phone) == .booked)
            #expect(try await earn(site, unit, ifa: phone) == .refused(.rewardCap))
            // Each request has a new advertising id, so only the network's cap ends them.
            for number in 0..<20 {
                let address = "192.0.2.\(number)"
                #expect(try await earn(site, unit, from: address, ifa: UUID().uuidString) == .booked)
            }
            #expect(
                try await earn(site, unit, from: "192.0.2.99", ifa: UUID().uuidString) == .refused(.rewardCap)
            )
            #expect(try await earn(site, unit, from: "198.51.100.1", ifa: UUID().uuidString) == .booked)
        }
    }

    @Test func `a unit that was stored without a cap has the default cap and needs a user`() throws {
        let old = #"{"amount":5,"currency":"coins","callbackURL":""}"#
        let reward = try JSONDecoder().decode(AdUnit.Reward.self, from: Data(old.utf8))
        #expect(reward.maximumPerDay == 20 && reward.needsUser)
        for maximum in [0, 10_001] {
            let unit = AdUnit(
                appID: .make(), name: "U", format: .rewarded,
                reward: .init(amount: 1, currency: "coins", maximumPerDay: maximum))
            #expect(throws: FieldErrors.self) { try unit.checked() }
        }
    }

    @Test func `counts of rewards end with their day, and with their user`() async throws {
        try await AdSite.run { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let unit = try await unit(site, maximum: 5)
            for user in ["ada", "bob"] {
                let headers = try tenant.headers(site.app, user: user)
                #expect(try await earn(site, unit, as: headers) == .booked)
            }
            #expect(try await site.count("ad_reward_counts") == 2)
            try await site.ads.erase(site.environmentID, user: "ada")
            #expect(try await site.count("ad_reward_counts") == 1)
            site.app.clock.advance(by: .seconds(86_400))
            try await AdSweeper(database: site.database, now: { [clock = site.app.clock] in clock.now })
                .sweep()
            #expect(try await site.count("ad_reward_counts") == 0)
        }
    }
}
