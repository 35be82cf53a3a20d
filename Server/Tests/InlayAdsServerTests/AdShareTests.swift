import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerTesting

/// Tests that a client that requests ads and shows none leaves capacity in a campaign for others.
@Suite(.timeLimit(.minutes(3))) struct AdShareTests {
    /// Returns the ads for `count` concurrent requests from one address.
    private func ads(
        _ site: AdSite, _ unit: AdUnit, _ count: Int, from address: String, as headers: [String: String] = [:]
    ) async throws -> [AdResponse] {
        try await withThrowingTaskGroup(of: AdResponse?.self) { group in
            for _ in 0..<count {
                group.addTask { try await site.requestAd(unit, from: address, headers: headers) }
            }
            return try await group.reduce(into: []) { list, ad in if let ad { list.append(ad) } }
        }
    }

    private func sweep(_ site: AdSite) async throws {
        try await AdSweeper(database: site.database, now: { [clock = site.app.clock] in clock.now }).sweep()
    }

    private func progress(_ site: AdSite, _ campaign: AdCampaign) async throws -> (
        taken: Int64, booked: Int64
    ) {
        try await site.ads.reports.progress(site.environmentID, campaignID: campaign.id)
    }

    @Test(arguments: SQLEngine.allCases)
    func `thirty requests without a view from one network leave capacity for another, and are released later`(
        _ engine: SQLEngine
    ) async throws {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit()
            let campaign = try await site.campaign { $0.goal = 20 }
            #expect(try await ads(site, unit, 30, from: "192.0.2.1").count == 5)
            #expect(try await ads(site, unit, 30, from: "192.0.2.2").isEmpty, "the same /24")
            let honest = try #require(try await site.requestAd(unit, from: "198.51.100.7"))
            try await site.call(honest.tracker.view)
            #expect(try await site.ledger() == ["view 2500000"])
            // A banner expires after 300 seconds, and its view may arrive up to 60 seconds later.
            site.app.clock.advance(by: .seconds(360))
            try await sweep(site)
            #expect(try await progress(site, campaign) == (6, 1))
            site.app.clock.advance(by: .microseconds(1))
            try await sweep(site)
            #expect(try await progress(site, campaign) == (1, 1))
            #expect(try await site.count("ad_holds") == 0)
            #expect(try await ads(site, unit, 30, from: "192.0.2.1").count == 4, "a quarter of nineteen")
        }
    }

    @Test func `ads that a network shows free its share again, up to the goal`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            let campaign = try await site.campaign { $0.goal = 20 }
            var shown = 0
            for _ in 0..<30 {
                guard let ad = try await site.requestAd(unit, from: "192.0.2.1") else { continue }
                try await site.call(ad.tracker.view)
                shown += 1
            }
            #expect(shown == 20)
            #expect(try await progress(site, campaign) == (20, 20))
            #expect(try await site.count("ad_holds") == 0)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user has a share too, however many networks their requests come from`(_ engine: SQLEngine)
        async throws
    {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let unit = try await site.unit()
            try await site.campaign { $0.dailyGoal = 20 }
            let headers = try tenant.headers(site.app, user: "eve")
            var count = 0
            for network in 0..<30 {
                let ad = try await site.requestAd(unit, from: "10.1.\(network).1", headers: headers)
                count += ad == nil ? 0 : 1
            }
            #expect(count == 5)
            #expect(try await site.requestAd(unit, headers: try tenant.headers(site.app, user: "ada")) != nil)
            #expect(try await site.requestAd(unit) != nil)
        }
    }

    @Test func `a budget and an even pace are shared as well, and a campaign without an end has no shares`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit()
            let start = site.app.clock.now
            // An impression costs 0.0025, so the budget is for twenty.
            var campaign = try await site.campaign { $0.budgetMicros = 50_000 }
            #expect(try await ads(site, unit, 30, from: "192.0.2.1").count == 5)
            campaign.isEnabled = false
            try await site.records.save(site.environmentID, campaign)
            // Twenty of the 228 are due after two hours.
            campaign = try await site.campaign {
                $0.pacing = .even
                $0.goal = 228
                ($0.startsAt, $0.endsAt) = (start, start + .seconds(86_400))
            }
            site.app.clock.advance(by: .seconds(7_200))
            #expect(try await ads(site, unit, 30, from: "192.0.2.1").count == 5)
            #expect(try await site.requestAd(unit, from: "198.51.100.7") != nil)
            campaign.isEnabled = false
            try await site.records.save(site.environmentID, campaign)
            try await site.campaign()
            #expect(try await ads(site, unit, 30, from: "192.0.2.1").count == 30)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a view after its reservation was given back reserves again, or is refused when nothing is left`(
        _ engine: SQLEngine
    ) async throws {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit()
            let campaign = try await site.campaign {
                $0.goal = 2
                $0.dailyGoal = 2
                $0.cap = .init(count: 2, seconds: 31_622_400)
            }
            let ifa = UUID().uuidString
            let early = try #require(try await site.requestAd(unit, ifa: ifa))
            let late = try #require(try await site.requestAd(unit, ifa: ifa))
            site.app.clock.advance(by: .seconds(361))
            try await sweep(site)
            #expect(try await progress(site, campaign) == (0, 0))
            // The device had no network for an hour. Its ad was seen, and there is capacity.
            site.app.clock.advance(by: .seconds(3_600))
            #expect(try await site.ads.booking.book(site.token(early.tracker.view)) == .booked)
            #expect(try await progress(site, campaign) == (1, 1))
            #expect(try await site.count("ad_frequency", where: "taken = 1") == 1)
            let other = try #require(try await site.requestAd(unit, ifa: UUID().uuidString))
            let view = site.token(late.tracker.view)
            #expect(try await site.ads.booking.book(view) == .refused(.noCapacity))
            #expect(try await progress(site, campaign) == (2, 1))
            #expect(try await site.count("ad_frequency", where: "taken = 1") == 2)
            #expect(try await site.ledger().count == 1)
            // The other ad is not shown either, so the late view finds capacity when it is sent again.
            site.app.clock.advance(by: .seconds(361))
            try await sweep(site)
            #expect(try await site.ads.booking.book(view) == .booked)
            #expect(try await site.ads.booking.book(site.token(other.tracker.view)) == .refused(.noCapacity))
            #expect(try await progress(site, campaign) == (2, 2))
            #expect(try await site.ads.booking.book(view) == .refused(.duplicate))
        }
    }

    @Test func `a bidder's ad has no reservation, and its view counts as long as its tracker lives`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.bidder("buyer", 1_000_000)
            let ad = try #require(try await site.requestAd(unit))
            site.app.clock.advance(by: .seconds(86_000))
            try await sweep(site)
            #expect(try await site.ads.booking.book(site.token(ad.tracker.view)) == .booked)
        }
    }
}
