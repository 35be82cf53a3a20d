import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests that the rewarded videos of one user run one after another, on the server's clock.
@Suite(.timeLimit(.minutes(5))) struct AdRewardedTimeTests {
    /// A video that was served, and its trackers.
    private struct Served: Sendable {
        let site: AdSite
        let ad: AdResponse

        private func token(_ event: String) throws -> String {
            guard event != "view" else { return site.token(ad.tracker.view) }
            return site.token(try #require(ad.ext?.events?[event]))
        }

        func book(_ event: String) async throws -> AdBooking.Outcome {
            try await site.ads.booking.book(try token(event))
        }

        /// Calls a tracker as a device does.
        func call(_ event: String) async throws -> TestAppResponse {
            try await site.app.send("GET", "/ads/t/\(try token(event))")
        }

        /// Reports all events at once, as a script does.
        @discardableResult
        func claim() async throws -> [AdBooking.Outcome] {
            [try await book("view"), try await book("complete"), try await book("reward")]
        }

        /// Reports the view, and after 30 seconds the end and the reward.
        func watch() async throws -> [AdBooking.Outcome] {
            let view = try await book("view")
            site.app.clock.advance(by: .seconds(30))
            return [view, try await book("complete"), try await book("reward")]
        }
    }

    private static let allBooked = [AdBooking.Outcome.booked, .booked, .booked]

    /// Creates units with a video of 30 seconds, 27 of which must pass before its end is booked.
    private func units(_ site: AdSite, _ count: Int = 1, needsUser: Bool = true) async throws -> [AdUnit] {
        try await site.campaign(.rewarded, markup: AdSite.vast(duration: "00:00:30"))
        var units: [AdUnit] = []
        for _ in 0..<count {
            let unit = try await site.unit(.rewarded) {
                $0.reward = .init(
                    amount: 1, currency: "coins", callbackURL: "http://127.0.0.1:1/reward",
                    maximumPerDay: 1_000, needsUser: needsUser)
            }
            units.append(unit)
        }
        return units
    }

    private func served(
        _ site: AdSite, _ unit: AdUnit, _ headers: [String: String] = [:], ifa: String = "",
        from address: String? = nil
    ) async throws -> Served {
        let ad = try await site.requestAd(unit, ifa: ifa, from: address, headers: headers)
        return Served(site: site, ad: try #require(ad))
    }

    @Test(arguments: SQLEngine.allCases)
    func `sixty videos of one user take sixty times as long as one, and no two are billed for the same time`(
        _ engine: SQLEngine
    ) async throws {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let ada = try tenant.headers(site.app, user: "ada")
            let units = try await units(site, 3)
            var videos: [Served] = []
            for number in 0..<60 { videos.append(try await served(site, units[number % 3], ada)) }
            site.app.clock.advance(by: .seconds(29))
            for video in videos { try await video.claim() }
            // The 29 seconds before the first view do not count.
            #expect(try await site.ledger() == ["view 2500000"])
            #expect(try await site.count("ad_notices") == 0)
            for seen in 1...3 {
                site.app.clock.advance(by: .milliseconds(26_999))
                for video in videos { try await video.claim() }
                #expect(try await site.count("ad_ledger", where: "event = 'reward'") == seen - 1)
                site.app.clock.advance(by: .milliseconds(1))
                for video in videos { try await video.claim() }
                #expect(try await site.count("ad_ledger", where: "event = 'reward'") == seen)
                #expect(try await site.count("ad_ledger", where: "event = 'view'") == seen + 1)
            }
            let refused = try await site.refused()
            #expect(refused["too-soon"] ?? 0 > 0)
            #expect(try await site.count("ad_rewarded_times") == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `videos that are loaded ahead and watched one after another are all rewarded`(_ engine: SQLEngine)
        async throws
    {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let ada = try tenant.headers(site.app, user: "ada")
            let units = try await units(site, 2)
            var videos: [Served] = []
            for number in 0..<6 { videos.append(try await served(site, units[number % 2], ada)) }
            // The third and the last video are never begun and delay no other.
            for index in [0, 1, 3, 4] {
                #expect(try await videos[index].watch() == Self.allBooked, "\(index)")
            }
            #expect(try await site.refused().isEmpty)
            #expect(try await site.count("ad_notices", where: "kind = 'reward'") == 4)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func
        `a reward that arrives with its view must wait, and a device that was offline must send it again`(
            _ engine: SQLEngine
        ) async throws
    {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let ada = try tenant.headers(site.app, user: "ada")
            let unit = try await units(site)[0]
            let videos = [try await served(site, unit, ada), try await served(site, unit, ada)]
            // Both videos were watched without a network. The outbox sends their trackers in order, an hour later.
            site.app.clock.advance(by: .seconds(3_600))
            for video in videos {
                #expect(
                    try await video.claim() == [.booked, .early(.seconds(27)), .refused(.beforeComplete)])
                let answer = try await video.call("complete")
                #expect(answer.status == 429 && answer.headers["retry-after"] == "27")
                site.app.clock.advance(by: .seconds(27))
                #expect(try await video.call("complete").status == 204)
                #expect(try await video.book("reward") == .booked)
            }
        }
    }

    @Test func `a video that was closed early delays the next one by no more than its own time`() async throws
    {
        try await AdSite.run { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let ada = try tenant.headers(site.app, user: "ada"),
                bob = try tenant.headers(site.app, user: "bob")
            let unit = try await units(site)[0]
            let first = try await served(site, unit, ada), second = try await served(site, unit, ada)
            #expect(try await first.book("view") == .booked)
            site.app.clock.advance(by: .seconds(10))
            #expect(try await first.book("close") == .booked)
            let answer = try await second.call("view")
            #expect(answer.status == 429 && answer.headers["retry-after"] == "17")
            // Another user, and an ad without a reward, need not wait.
            #expect(try await served(site, unit, bob).book("view") == .booked)
            let banner = try await site.unit()
            try await site.campaign()
            #expect(try await served(site, banner, ada).book("view") == .booked)
            site.app.clock.advance(by: .seconds(17))
            #expect(try await second.watch() == Self.allBooked)
        }
    }

    @Test func `a video of hours blocks its user for two minutes at most, and no device retries for longer`()
        async throws
    {
        try await AdSite.run { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let ada = try tenant.headers(site.app, user: "ada")
            let short = try await served(site, try await units(site)[0], ada)
            let unit = try await site.unit(.rewarded)
            try await site.campaign(.rewarded, markup: AdSite.vast(duration: "10:00:00")) {
                ($0.priority, $0.unitIDs) = (1, [unit.id])
            }
            let long = try await served(site, unit, ada)
            site.app.clock.advance(by: .seconds(600))
            #expect(try await long.book("view") == .booked)
            site.app.clock.advance(by: .seconds(119))
            #expect(try await short.book("view") == .early(.seconds(1)))
            site.app.clock.advance(by: .seconds(1))
            #expect(try await short.watch() == Self.allBooked)
            // Nine hours after the ad was served are 600 seconds too soon after the view; then it is 50 seconds.
            site.app.clock.advance(by: .seconds(9 * 3_600 - 750))
            #expect(try await long.book("complete") == .refused(.tooSoon))
            site.app.clock.advance(by: .seconds(550))
            #expect(try await long.book("complete") == .early(.seconds(50)))
            site.app.clock.advance(by: .seconds(50))
            #expect(try await long.book("complete") == .booked)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `of concurrent views of one user, one is booked`(_ engine: SQLEngine) async throws {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let ada = try tenant.headers(site.app, user: "ada")
            let unit = try await units(site)[0]
            var videos: [Served] = []
            for _ in 0..<20 { videos.append(try await served(site, unit, ada)) }
            let outcomes = try await withThrowingTaskGroup(of: AdBooking.Outcome.self) { group in
                for video in videos { group.addTask { try await video.book("view") } }
                return try await group.reduce(into: [AdBooking.Outcome]()) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 == .booked }.count == 1)
            #expect(try await site.ledger() == ["view 2500000"])
        }
    }

    @Test func `without a user, an advertising id has the time of one user, and a network that of twenty`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await units(site, needsUser: false)[0]
            let phone = UUID().uuidString, other = UUID().uuidString
            #expect(try await served(site, unit, ifa: phone).book("view") == .booked)
            #expect(try await served(site, unit, ifa: phone).book("view") == .early(.seconds(27)))
            for number in 0..<20 {
                let video = try await served(
                    site, unit, ifa: UUID().uuidString, from: "192.0.2.\(number)")
                #expect(try await video.book("view") == .booked, "\(number)")
            }
            let nameless = try await served(site, unit, from: "192.0.2.99")
            #expect(try await nameless.book("view") == .early(.milliseconds(1_350)))
            // The network has no time left, so the time of the advertising id is returned.
            let late = try await served(site, unit, ifa: other, from: "192.0.2.99")
            #expect(try await late.book("view") == .early(.milliseconds(1_350)))
            #expect(
                try await served(site, unit, ifa: other, from: "198.51.100.1").book("view") == .booked)
            site.app.clock.advance(by: .milliseconds(1_350))
            #expect(try await nameless.watch() == Self.allBooked)
        }
    }

    @Test func `a video whose viewer can get no reward uses no time`() async throws {
        try await AdSite.run { site in
            let unit = try await units(site)[0]
            let phone = UUID().uuidString
            var videos: [Served] = []
            for _ in 0..<30 {
                videos.append(try await served(site, unit, ifa: phone, from: "192.0.2.7"))
            }
            site.app.clock.advance(by: .seconds(30))
            for video in videos {
                #expect(try await video.claim() == [.booked, .booked, .refused(.noUser)])
            }
            #expect(try await site.count("ad_rewarded_times") == 0)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a view that is refused takes no time`(_ engine: SQLEngine) async throws {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let ada = try tenant.headers(site.app, user: "ada")
            let unit = try await site.unit(.rewarded)
            let markup = AdSite.vast(duration: "00:00:30")
            try await site.campaign(.rewarded, markup: markup) { $0.goal = 1 }
            let full = try await served(site, unit, ada)
            // The ad's reservation ends, and another user has the only view.
            site.app.clock.advance(by: .seconds(2_000))
            let sweeper = AdSweeper(database: site.database, now: { [clock = site.app.clock] in clock.now })
            try await sweeper.sweep()
            let bob = try tenant.headers(site.app, user: "bob")
            #expect(try await served(site, unit, bob).book("view") == .booked)
            #expect(try await full.book("view") == .refused(.noCapacity))
            try await site.campaign(.rewarded, markup: markup)
            let later = try tenant.headers(site.app, user: "ada")
            #expect(try await served(site, unit, later).watch()[0] == .booked)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the time of a user ends with the user, and by itself`(_ engine: SQLEngine) async throws {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let unit = try await units(site)[0]
            for name in ["ada", "bob"] {
                let headers = try tenant.headers(site.app, user: name)
                #expect(try await served(site, unit, headers).book("view") == .booked)
            }
            #expect(try await site.count("ad_rewarded_times") == 2)
            try await site.ads.erase(site.environmentID, user: "ada")
            #expect(try await site.count("ad_rewarded_times") == 1)
            let sweeper = AdSweeper(database: site.database, now: { [clock = site.app.clock] in clock.now })
            try await sweeper.sweep()
            #expect(try await site.count("ad_rewarded_times") == 1)
            site.app.clock.advance(by: .seconds(28))
            try await sweeper.sweep()
            #expect(try await site.count("ad_rewarded_times") == 0)
        }
    }
}
