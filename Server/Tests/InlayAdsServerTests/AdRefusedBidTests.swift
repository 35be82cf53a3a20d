import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct AdRefusedBidTests {
    /// Returns the report's lines for a bidder: reason, field, times.
    private func refused(_ site: AdSite, _ bidder: AdBidder) async throws -> [String] {
        await site.ads.writeCounts()
        let today = AdPace.day(of: site.app.clock.now)
        return try await site.ads.reports.refusedBids(
            site.environmentID, bidderID: bidder.id, days: today...today
        ).map { "\($0.reason) \($0.field) \($0.times)" }.sorted()
    }

    @Test func `a price beyond the maximum refuses the bid, and says why`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            let absurd = try await site.bidder("absurd", 9_200_000_000_000_000_000)
            #expect(try await site.requestAd(unit) == nil)
            #expect(try await refused(site, absurd) == ["1000 price 1"])
            #expect(try await site.notices(1) == ["loss/absurd?l=1000&p=&m="])
            #expect(try await site.count("ad_impressions") == 0)
            // A valid bid wins nevertheless. The maximum itself is valid.
            try await site.bidder("dear", 1_000_000_000)
            try await site.bidder("dearer", 1_000_000_001)
            #expect(try await site.requestAd(unit)?.adm.contains(">dear<") == true)
        }
        try await AdSite.run(configure: { $0.adsMaximumCPM = 2 }) { site in
            let unit = try await site.unit()
            try await site.bidder("two", 2_000_000)
            let more = try await site.bidder("more", 2_000_001)
            #expect(try await site.requestAd(unit)?.adm.contains(">two<") == true)
            #expect(try await refused(site, more) == ["1000 price 1"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `refused bids and unreadable answers are counted by bidder and reason`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit {
                $0.floorMicros = 1_000_000
                $0.blocks = .init(badv: ["bad.example"])
                $0.allowsMRAID = false
            }
            let port = site.app.port
            site.buyers.setResponder("wrong") { request in
                FakeBuyers.bids(
                    request,
                    [
                        FakeBuyers.bid("low", 900_000, port: port),
                        FakeBuyers.bid("blocked", 2_000_000, port: port) {
                            $0.advertiserDomains = ["bad.example"]
                        },
                        FakeBuyers.bid("size", 2_000_000, port: port) { ($0.width, $0.height) = (300, 250) },
                        FakeBuyers.bid("mraid", 2_000_000, port: port) { $0.markup = "<p>mraid.js</p>" },
                    ])
            }
            let wrong = try await site.bidder("wrong"), good = try await site.bidder("good", 1_500_000)
            site.buyers.setResponder("garbage") { _ in FakeBuyers.json(Array("{".utf8)) }
            let garbage = try await site.bidder("garbage")
            for _ in 0..<2 { #expect(try await site.requestAd(unit)?.adm.contains("good") == true) }
            #expect(
                try await refused(site, wrong) == ["100 price 2", "203 w 2", "204 adm 2", "205 adomain 2"])
            #expect(try await refused(site, garbage) == ["unreadable  2"])
            #expect(try await refused(site, good).isEmpty)
            let today = AdPace.day(of: site.app.clock.now)
            #expect(
                try await site.ads.reports.refusedBids("other", bidderID: wrong.id, days: today...today)
                    .isEmpty)
            // The counts are kept as long as the longest report.
            site.app.clock.advance(by: .seconds(92 * 86_400))
            try await AdSweeper(database: site.database, now: { [clock = site.app.clock] in clock.now })
                .sweep()
            #expect(try await site.count("ad_refused_bids") == 0)
        }
    }

    @Test(arguments: PrivateHosts.all)
    func `a bidder or a reward's address in a private network is not saved`(_ host: String) async throws {
        try await AdSite.run(configure: { $0.adsPrivateAddresses = false }) { site in
            let url = "http://\(host)/bid"
            let fault = await #expect(throws: FieldErrors.self) {
                try await site.records.save(site.environmentID, AdBidder(name: "Buyer", endpoint: url))
            }
            #expect(fault?.messages(for: "endpoint").isEmpty == false)
            let unit = AdUnit(
                appID: site.inApp.id, name: "Video", format: .rewarded,
                reward: .init(amount: 1, currency: "coins", callbackURL: url))
            let other = await #expect(throws: FieldErrors.self) {
                try await site.records.save(site.environmentID, unit)
            }
            #expect(other?.messages(for: "callbackURL").isEmpty == false)
        }
    }

    @Test func `a bidder in a private network is not called, though it was saved`() async throws {
        try await AdSite.run(configure: { $0.adsPrivateAddresses = false }) { site in
            let unit = try await site.unit(), port = site.app.port
            // Without the check, as if the host resolved to another address when the bidder was saved.
            let records = AdRecordStore(
                database: site.database, now: { [clock = site.app.clock] in clock.now },
                checkAddress: { _ in },
                changed: { _ in })
            let buyer = try await records.save(
                site.environmentID,
                AdBidder(
                    name: "buyer", endpoint: "http://127.0.0.1:\(port)/test/bidder/buyer", timeout: 20_000)
            ).record
            for _ in 0..<BidderGate.maximumFailures { #expect(try await site.requestAd(unit) == nil) }
            #expect(site.buyers.requests(to: "buyer").isEmpty && site.ads.gate.isClosed(buyer.id))
            #expect(try await refused(site, buyer) == ["refused-address  \(BidderGate.maximumFailures)"])
        }
    }

    @Test func `the supply chain names the exchange if the settings have its domain`() async throws {
        for domain in ["ads.harbor.test", nil] {
            try await AdSite.run(configure: { $0.adsDomain = domain }) { site in
                let unit = try await site.unit()
                try await site.bidder("one")
                #expect(try await site.requestAd(unit) == nil)
                let chain = site.buyers.requests(to: "one").last?.source?.supplyChain
                #expect(chain?.nodes.map(\.domain) == domain.map { [$0] })
                #expect(chain?.nodes.map(\.sellerID) == domain.map { _ in [site.publisher.id.rawValue] })
            }
        }
    }

    @Test func `tracker URLs have the address of the server's socket, whatever the Host field says`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign()
            for host in ["evil.test", "evil.test:80", "127.0.0.1:1"] {
                let ad = try #require(try await site.requestAd(unit, headers: ["Host": host]))
                for tracker in [ad.tracker.view, ad.tracker.click] + (ad.ext?.events?.values.map { $0 } ?? [])
                {
                    #expect(tracker.hasPrefix("http://127.0.0.1:\(site.app.port)/ads/t/"), "\(tracker)")
                }
            }
        }
        try await AdSite.run(configure: { $0.publicURL = BaseURL("https://ads.harbor.test/") }) { site in
            let unit = try await site.unit()
            try await site.campaign()
            let ad = try #require(try await site.requestAd(unit, headers: ["Host": "evil.test"]))
            #expect(ad.tracker.view.hasPrefix("https://ads.harbor.test/ads/t/"))
        }
    }
}
