import Foundation
import Hummingbird
import InlaySQL
@_spi(Inlay) import InlayWire
import NIOCore
import Testing

@testable import InlayAdsServer
@testable import InlayOpenRTB
@testable import InlayServerTesting
@testable import InlaySimulatedBidder

@Suite(.serialized, .timeLimit(.minutes(3))) struct AdBiddingTests {
    @Test(arguments: SQLEngine.allCases)
    func `the highest bid wins, pays its price when seen, and every bidder is notified`(_ engine: SQLEngine)
        async throws
    {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit { $0.floorMicros = 1_000_000 }
            try await site.bidder("low", 1_200_000)
            try await site.bidder("high", 3_100_000)
            try await site.bidder("cheap", 900_000)
            let ad = try #require(try await site.requestAd(unit))
            let id = try #require(ad.ext?.impressionID)
            #expect(ad.type == .banner && ad.adm == "<a href=\"https://ad.example/\(id)?p=3.1\">high</a>")
            #expect(
                try await site.notices(3) == [
                    "loss/cheap?l=100&p=&m=3.1", "loss/low?l=102&p=&m=3.1", "win/high?p=3.1&m=1.2",
                ])
            #expect(try await site.ledger().isEmpty)
            try await site.call(ad.tracker.view)
            try await site.call(ad.tracker.view)
            #expect(try await site.ledger() == ["view 3100000"])
            #expect(try await site.notices(4).first == "bill/high?p=3.1&i=\(id)")
        }
    }

    @Test(arguments: [(30_000, Int64(1)), (1, Int64(0))])
    func `a bidder counts as asked only when it is called`(milliseconds: Int, count: Int64) async throws {
        // With one millisecond, no time is left for bidders.
        try await AdSite.run(configure: { $0.adsMilliseconds = milliseconds }) { site in
            let bidder = try await site.bidder("one", 900_000)
            let ad = try await site.requestAd(try await site.unit())
            #expect((ad != nil) == (count == 1))
            await site.ads.writeCounts()
            let today = AdPace.day(of: site.app.clock.now)
            let lines = try await AdReportStore(database: site.database).lines(
                site.environmentID, by: .bidder, days: today...today)
            let asked = lines.filter { $0.key == bidder.id.rawValue }.map(\.count.requests)
            #expect(asked.reduce(0, +) == count)
        }
    }

    @Test func `bidders get an app and no site, the unit's terms and their own time`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit {
                $0.floorMicros = 750_000
                $0.priceRule = .second
                $0.blocks = .init(bcat: ["IAB25"], badv: ["bad.example"], bapp: ["99"], battr: [3])
            }
            try await site.bidder("one", timeout: 2_000)
            #expect(try await site.requestAd(unit) == nil)
            let request = try #require(site.buyers.requests(to: "one").first)
            let impression = try #require(request.impressions.first)
            #expect(request.site == nil && request.app?.name == "Harbor")
            #expect(
                request.app?.bundle == "1234567890"
                    && request.app?.publisher?.id == site.publisher.id.rawValue)
            #expect(request.auctionType == 2 && (1...2_000).contains(request.maximumMilliseconds ?? 0))
            #expect(impression.tagID == unit.id.rawValue && impression.floorMicros == 750_000)
            #expect(impression.isSecure == 1 && impression.banner?.width == 320)
            #expect(request.blockedCategories == ["IAB25"] && request.blockedAdvertisers == ["bad.example"])
            #expect(request.blockedApps == ["99"] && impression.banner?.blockedAttributes == [3])
        }
    }

    private func recordAsFerries(_ site: AdSite) async throws {
        try await site.records.save(
            site.environmentID,
            AdApp(
                id: site.inApp.id, publisherID: site.publisher.id, name: "Ferries",
                bundle: "com.example.ferries"))
    }

    @Test func `without an app store id, bidders get the name and the bundle from the request`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.bidder("one")
            try await recordAsFerries(site)
            #expect(try await site.requestAd(unit) == nil)
            let request = try #require(site.buyers.requests(to: "one").first)
            #expect(request.app?.name == "Harbor" && request.app?.bundle == "com.example.harbor")
        }
    }

    @Test func `for a request without name and bundle, bidders get those of the app's record`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.bidder("one")
            try await recordAsFerries(site)
            let body = site.body(unit).replacing("\"com.example.harbor\"", with: "\"\"")
                .replacing("\"Harbor\"", with: "\"\"")
            #expect(try await site.app.sendJSON("POST", "/ads/request", body).status == 204)
            let request = try #require(site.buyers.requests(to: "one").first)
            #expect(request.app?.name == "Ferries" && request.app?.bundle == "com.example.ferries")
            #expect(OpenRTB.RequestCheck.faults(request).isEmpty)
            #expect(request.user?.id == nil && request.device?.advertisingID == nil)
        }
    }

    @Test func `a campaign comes before bidders, a house campaign after them`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign(markup: "<p>house</p>") { $0.isHouse = true }
            #expect(try await site.requestAd(unit)?.adm == "<p>house</p>")
            try await site.bidder("buyer", 1_000_000) { $0.markup = "<p>buyer</p>" }
            #expect(try await site.requestAd(unit)?.adm == "<p>buyer</p>")
            try await site.campaign(markup: "<p>late</p>") { $0.priority = 9 }
            try await site.campaign(markup: "<p>early</p>") {
                $0.priority = 2
                $0.goal = 1
            }
            #expect(try await site.requestAd(unit)?.adm == "<p>early</p>")
            #expect(try await site.requestAd(unit)?.adm == "<p>late</p>")
        }
    }

    @Test func `late, dead, broken and huge bidders cost only their own bids`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.bidder("good", 500_000)
            let gate = site.gate
            // The bidder must end also when the test fails, because the server waits for it.
            defer { gate.open() }
            site.buyers.setResponder("slow") { request in
                await gate.wait()
                return FakeBuyers.bids(request, [])
            }
            try await site.bidder("slow", timeout: 60)
            site.buyers.setResponder("garbage") { _ in FakeBuyers.json(Array("{\"id\":".utf8)) }
            try await site.bidder("garbage")
            site.buyers.setResponder("huge") { _ in
                FakeBuyers.json(Array(repeating: 32, count: OpenRTB.maximumResponseBytes + 1))
            }
            try await site.bidder("huge")
            site.buyers.setResponder("bomb") { _ in
                let packed = try #require(Data(base64Encoded: Self.bomb))
                return FakeBuyers.json(Array(packed), headers: [.contentEncoding: "gzip"])
            }
            try await site.bidder("bomb")
            site.buyers.setResponder("angry") { _ in Response(status: .badRequest) }
            try await site.bidder("angry")
            let dead = AdBidder(name: "dead", endpoint: "http://127.0.0.1:9/bid", timeout: 200)
            try await site.records.save(site.environmentID, dead)
            for _ in 0..<7 {
                let ad = try #require(try await site.requestAd(unit))
                #expect(ad.adm.contains("good"))
            }
            gate.open()
            // After five failures in a row, a bidder gets no requests. On a busy machine, a request can time out before
            // it is sent; it counts as a failure and never arrives.
            for name in ["slow", "garbage", "huge", "bomb", "angry"] {
                #expect((1...5).contains(site.buyers.requests(to: name).count), "\(name)")
            }
            #expect(site.buyers.requests(to: "good").count == 7)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an id that cannot be stored does not affect the ads of other bidders`(_ engine: SQLEngine)
        async throws
    {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit()
            try await site.bidder("good", 500_000)
            try await site.bidder("odd", 400_000) {
                $0.adID = "a\u{0}b"
                $0.lossURL? += "&a=${AUCTION_AD_ID}"
            }
            #expect(try await site.requestAd(unit)?.adm.contains("good") == true)
            try await site.bidder("odder", 900_000) { $0.creativeID = "c\u{0}" }
            #expect(try await site.requestAd(unit)?.adm.contains("odder") == true)
        }
    }

    /// A gzip body of a kilobyte that expands to a megabyte of spaces.
    private static let bomb: String = {
        Gzip.packed(Array(repeating: 32, count: 1 << 20)).base64EncodedString()
    }()

    @Test(arguments: SimulatedBidder.Behavior.allCases)
    func `a simulated bidder of every kind is asked, and shown only where it bids`(
        _ behavior: SimulatedBidder.Behavior
    ) async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            var configuration = SimulatedBidder.Configuration()
            (configuration.behavior, configuration.delay) = (behavior, .milliseconds(20))
            try await SimulatedBidder(configuration).whileRunning { bidder in
                let endpoint = try #require(await bidder.address)
                try await site.records.save(
                    site.environmentID,
                    AdBidder(
                        name: "Simulated", endpoint: endpoint, timeout: behavior == .dead ? 300 : 20_000))
                // Each response of garbage is another one.
                for _ in 0..<(behavior == .garbage ? 9 : 1) {
                    let ad = try await site.requestAd(unit)
                    #expect((ad != nil) == [.fast, .slow].contains(behavior))
                }
                #expect(behavior == .dead || bidder.log.count(of: .request) > 0)
            }
        }
    }

    @Test func `a bid response in gzip is read`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            let port = site.app.port
            site.buyers.setResponder("packed") { request in
                var seat = OpenRTB.SeatBid()
                seat.bids = [FakeBuyers.bid("packed", 700_000, port: port)]
                var answer = OpenRTB.BidResponse()
                (answer.id, answer.seatBids) = (request.id, [seat])
                return FakeBuyers.json(Array(Gzip.packed(answer.json)), headers: [.contentEncoding: "gzip"])
            }
            try await site.bidder("packed")
            #expect(try await site.requestAd(unit)?.adm.contains("packed") == true)
        }
    }

    @Test func `what the unit blocks does not win, whatever it bids`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit {
                $0.blocks = .init(bcat: ["IAB25"], badv: ["bad.example"], bapp: ["99"], battr: [3])
                $0.allowsMRAID = false
            }
            try await site.bidder("fair", 100_000)
            let worse: [(String, Int, @Sendable (inout OpenRTB.Bid) -> Void)] = [
                ("category", 209, { $0.categories = ["IAB25-3"] }),
                ("advertiser", 205, { $0.advertiserDomains = ["www.bad.example"] }),
                ("app", 206, { $0.bundle = "99" }), ("attribute", 210, { $0.attributes = [3] }),
                ("plain", 207, { $0.markup = "<p style=\"background:url(http://x.example/a.png)\">" }),
                ("mraid", 204, { $0.markup = "<script src=\"mraid.js\"></script>" }),
                ("size", 203, { ($0.width, $0.height) = (300, 250) }),
                ("deal", 4, { $0.dealID = "unknown" }),
            ]
            for (name, _, change) in worse { try await site.bidder(name, 9_000_000, change: change) }
            #expect(try await site.requestAd(unit)?.adm.contains("fair") == true)
            let notices = try await site.notices(worse.count + 1)
            for (name, reason, _) in worse {
                #expect(notices.contains("loss/\(name)?l=\(reason)&p=&m="), "\(name) \(notices)")
            }
        }
    }

    @Test func `a deal has its own floor and price, for its bidders only`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit { $0.floorMicros = 100_000 }
            let one = try await site.bidder("one", 5_000_000, deal: "summer")
            try await site.bidder("two", 6_000_000, deal: "summer")
            try await site.bidder("three", 4_000_000)
            try await site.records.save(
                site.environmentID,
                AdDeal(
                    id: "summer", name: "Summer", floorMicros: 3_000_000, price: .fixed,
                    bidderIDs: [one.id]))
            let ad = try #require(try await site.requestAd(unit))
            #expect(ad.adm.contains(">one<") && ad.adm.contains("p=3\""))
            #expect(
                try await site.notices(3) == [
                    "loss/three?l=102&p=&m=3", "loss/two?l=4&p=&m=", "win/one?p=3&m=4",
                ])
            #expect(site.buyers.requests(to: "one").first?.impressions.first?.privateMarket?.deals.count == 1)
            #expect(
                site.buyers.requests(to: "two").first?.impressions.first?.privateMarket?.deals.isEmpty == true
            )
        }
    }
}
