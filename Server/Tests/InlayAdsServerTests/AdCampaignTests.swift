import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayBehaviorsServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct AdCampaignTests {
    private static let ifa = "6D92078A-8246-4BA4-AE5B-76104861E7DC"

    /// Returns how many of `count` concurrent requests are filled.
    private func filled(_ site: AdSite, _ unit: AdUnit, _ count: Int, ifa: String = "") async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { try await site.requestAd(unit, ifa: ifa) != nil } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a cap is exact when a hundred requests of one person come at once`(_ engine: SQLEngine) async throws
    {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit()
            try await site.campaign { $0.cap = .init(count: 7, seconds: 3_600) }
            #expect(try await filled(site, unit, 100, ifa: Self.ifa) == 7)
            #expect(try await site.requestAd(unit) == nil, "nobody can count what a stranger has seen")
            #expect(try await filled(site, unit, 10, ifa: Self.ifa.lowercased()) == 0)
            #expect(try await site.requestAd(unit, ifa: UUID().uuidString) != nil)
            site.app.clock.advance(by: .seconds(3_600))
            #expect(try await filled(site, unit, 20, ifa: Self.ifa) == 7)
        }
    }

    @Test func `two nodes with concurrent requests share one cap and one goal`() async throws {
        let settings: @Sendable (inout InlayServerConfiguration) -> Void = {
            $0.rates.perUser = 0
            $0.rates.adsPerNetwork = 0
            $0.trustsProxy = true
        }
        try await TestDatabase.withURL(.postgresql) { url in
            try await TestApp.run(url: url, configure: settings, features: { _ in [] }) { first in
                try await TestApp.run(
                    url: url, clock: first.clock, configure: settings, features: { _ in [] }
                ) { second in
                    let site = try await AdSite.make(first, "harbor")
                    let twin = AdSite(
                        app: second, environmentID: site.environmentID, publisher: site.publisher,
                        inApp: site.inApp)
                    let unit = try await site.unit()
                    try await site.campaign {
                        $0.cap = .init(count: 7, seconds: 3_600)
                        $0.goal = 12
                    }
                    async let here = filled(site, unit, 50, ifa: Self.ifa)
                    async let there = filled(twin, unit, 50, ifa: Self.ifa)
                    #expect(try await here + there == 7)
                    async let others = filled(site, unit, 20, ifa: UUID().uuidString)
                    async let further = filled(twin, unit, 20, ifa: UUID().uuidString)
                    #expect(try await others + further == 5)
                }
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a budget is never overspent, ads that are served and not yet seen included`(_ engine: SQLEngine)
        async throws
    {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit()
            // An impression costs 0.0025, so a thirteenth would exceed the budget of 0.03.
            let campaign = try await site.campaign { $0.budgetMicros = 30_000 }
            #expect(try await filled(site, unit, 60) == 12)
            let report = AdReportStore(database: site.database)
            let progress = try await report.progress(site.environmentID, campaignID: campaign.id)
            #expect(progress.taken == 12 && progress.booked == 0)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an ad that is not seen in time releases its reservation, and a seen ad does not`(
        _ engine: SQLEngine
    ) async throws {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit()
            let campaign = try await site.campaign {
                $0.goal = 3
                $0.dailyGoal = 3
                $0.cap = .init(count: 3, seconds: 31_622_400)
            }
            var ads: [AdResponse] = []
            for _ in 0..<3 { ads.append(try #require(try await site.requestAd(unit, ifa: Self.ifa))) }
            #expect(try await site.requestAd(unit, ifa: Self.ifa) == nil)
            try await site.call(ads[0].tracker.view)
            let sweeper = AdSweeper(database: site.database, now: { [clock = site.app.clock] in clock.now })
            try await sweeper.sweep()
            #expect(try await site.requestAd(unit, ifa: Self.ifa) == nil, "their time is not over")
            site.app.clock.advance(by: .seconds(300) + AdImpression.reservationGrace + .seconds(1))
            try await sweeper.sweep()
            try await sweeper.sweep()
            let report = AdReportStore(database: site.database)
            #expect(
                try await report.progress(site.environmentID, campaignID: campaign.id) == (1, 1))
            #expect(try await filled(site, unit, 10, ifa: Self.ifa) == 2)
            #expect(try await site.ads.booking.book(site.token(ads[1].tracker.view)) == .refused(.noCapacity))
            #expect(try await site.ledger().count == 1)
        }
    }

    @Test func `an even pace is never more than one ahead of its line, nor behind it while requests come`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit()
            let start = site.app.clock.now
            let day: Int64 = 86_400
            try await site.campaign {
                $0.pacing = .even
                $0.goal = 240
                $0.startsAt = start
                $0.endsAt = start + .seconds(day)
            }
            var shown = 0
            // Every eight minutes, two to four requests: more than the pace needs.
            for step in 0..<180 {
                for _ in 0..<(step % 3 + 2) {
                    guard let ad = try await site.requestAd(unit) else { continue }
                    shown += 1
                    try await site.call(ad.tracker.view)
                }
                let due = 240.0 * Double(step) * 480 / Double(day)
                #expect(Double(shown) <= due + 1, "ahead at \(step)")
                #expect(Double(shown) >= due - 1, "behind at \(step)")
                site.app.clock.advance(by: .seconds(480))
            }
            // The last impression is due only when the campaign is over.
            #expect(shown == 239)
            #expect(try await site.requestAd(unit) == nil)
        }
    }

    @Test func `a daily goal is spread over the day and begins anew with the next`() {
        let midnight = Timestamp(microseconds: 20_500 * 86_400_000_000)
        let campaign = AdCampaign(name: "C", dailyGoal: 100, pacing: .even)
        for (hour, allowed) in [(0, 1), (6, 26), (12, 51), (18, 76), (24, 1), (36, 51)] {
            #expect(
                AdPace.allowedToday(campaign, at: midnight + .seconds(Int64(hour) * 3_600)) == Int64(allowed))
        }
        #expect(AdPace.allowedToday(campaign, at: midnight + .seconds(86_399)) == 100)
        let huge = AdCampaign(
            name: "C", goal: 1_000_000_000_000, startsAt: midnight,
            endsAt: midnight + .seconds(86_400 * 3_650),
            pacing: .even)
        #expect(AdPace.allowed(huge, at: midnight + .seconds(86_400 * 1_825)) == 500_000_000_001)
        #expect(AdPace.allowed(huge, at: midnight + .seconds(-1)) == 0)
    }

    @Test func `a campaign runs from its start until its end`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            let now = site.app.clock.now
            try await site.campaign {
                $0.startsAt = now + .seconds(60)
                $0.endsAt = now + .seconds(120)
            }
            #expect(try await site.requestAd(unit) == nil)
            site.app.clock.advance(by: .seconds(60))
            #expect(try await site.requestAd(unit) != nil)
            site.app.clock.advance(by: .seconds(60))
            #expect(try await site.requestAd(unit) == nil)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a campaign for a segment reaches a user only through the app's token`(_ engine: SQLEngine)
        async throws
    {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let unit = try await site.unit()
            let segments = site.app.server.features.behaviors.segments
            let rule = SegmentRule([SegmentCondition(.init(code: 17, days: 30))])
            let segment = try await segments.save(site.environmentID, name: "Sailors", rule)
            try await site.campaign { $0.segmentID = segment.id }
            try await site.database.write { connection in
                try connection.execute(
                    """
                    INSERT INTO behavior_events (environment_id, event_id, user_id, code, name, happened_at,
                        received_at, attributes) VALUES (?, 'e', 'alice', 17, 'Sailed', ?, ?, '[]')
                    """,
                    [
                        .id(site.environmentID), .moment(site.app.clock.now), .moment(site.app.clock.now),
                    ])
            }
            func status(_ headers: [String: String], _ path: String = "/v1/ads/request") async throws -> Int {
                try await site.app.sendJSON("POST", path, headers: headers, site.body(unit)).status
            }
            let alice = try tenant.headers(site.app, user: "alice")
            #expect(try await status(alice) == 200)
            #expect(try await status(alice, "/ads/request") == 204, "the documented wire knows no user")
            #expect(try await status(tenant.headers(site.app, user: "bob")) == 204)
            #expect(try await status([:]) == 204)
            #expect(try await status(tenant.headers(token: "forged")) == 204)
        }
    }
}
