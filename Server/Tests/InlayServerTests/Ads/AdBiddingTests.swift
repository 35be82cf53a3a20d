import Foundation
import Hummingbird
import InlaySQL
import InlayWire
import NIOCore
import Testing

@testable import InlayServer

@Suite(.serialized, .timeLimit(.minutes(3))) struct AdBiddingTests {
    /// A bidder of the site that answers with one bid.
    @discardableResult
    private func bidder(
        _ site: AdSite, _ name: String, _ price: Int64? = nil, timeout: Int = 20_000, deal: String? = nil,
        change: @escaping @Sendable (inout OpenRTB.Bid) -> Void = { _ in }
    ) async throws -> AdBidder {
        let port = site.app.port
        if let price {
            site.buyers.answer(name) { request in
                FakeBuyers.bids(
                    request, [FakeBuyers.bid(name, price, port: port, deal: deal, change: change)])
            }
        }
        let bidder = AdBidder(
            name: name, endpoint: "http://127.0.0.1:\(port)/test/bidder/\(name)", timeout: timeout)
        return try await site.records.save(site.environmentID, bidder).record
    }

    private func notices(_ site: AdSite, _ count: Int) async throws -> [String] {
        let buyers = site.buyers
        try await site.passTime { Set(buyers.notices).count >= count }
        return Set(buyers.notices).sorted()
    }

    @Test(arguments: SQLEngine.allCases)
    func `the highest bid wins, pays its price when seen, and everybody is told`(_ engine: SQLEngine)
        async throws
    {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit { $0.floorMicros = 1_000_000 }
            try await bidder(site, "low", 1_200_000)
            try await bidder(site, "high", 3_100_000)
            try await bidder(site, "cheap", 900_000)
            let ad = try #require(try await site.ask(unit))
            let id = try #require(ad.ext?.impressionID)
            #expect(ad.type == .banner && ad.adm == "<a href=\"https://ad.example/\(id)?p=3.1\">high</a>")
            #expect(
                try await notices(site, 3) == [
                    "loss/cheap?l=100&p=&m=3.1", "loss/low?l=102&p=&m=3.1", "win/high?p=3.1&m=1.2",
                ])
            #expect(try await site.ledger().isEmpty)
            try await site.call(ad.tracker.view)
            try await site.call(ad.tracker.view)
            #expect(try await site.ledger() == ["view 3100000"])
            #expect(try await notices(site, 4).first == "bill/high?p=3.1&i=\(id)")
        }
    }

    @Test func `bidders get an app and no site, the unit's terms and their own time`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit {
                $0.floorMicros = 750_000
                $0.priceRule = .second
                $0.blocks = .init(bcat: ["IAB25"], badv: ["bad.example"], bapp: ["99"], battr: [3])
            }
            try await bidder(site, "one", timeout: 120)
            #expect(try await site.ask(unit) == nil)
            let request = try #require(site.buyers.asked("one").first)
            let impression = try #require(request.impressions.first)
            #expect(request.site == nil && request.app?.name == "Harbor")
            #expect(request.app?.bundle == "1234567890" && request.app?.publisher?.id == site.publisher.id)
            #expect(request.auctionType == 2 && (request.maximumMilliseconds ?? 0) <= 120)
            #expect(impression.tagID == unit.id && impression.floorMicros == 750_000)
            #expect(impression.isSecure == 1 && impression.banner?.width == 320)
            #expect(request.blockedCategories == ["IAB25"] && request.blockedAdvertisers == ["bad.example"])
            #expect(request.blockedApps == ["99"] && impression.banner?.blockedAttributes == [3])
        }
    }

    @Test func `a campaign comes before bidders, a house campaign after them`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign(markup: "<p>house</p>") { $0.isHouse = true }
            #expect(try await site.ask(unit)?.adm == "<p>house</p>")
            try await bidder(site, "buyer", 1_000_000) { $0.markup = "<p>buyer</p>" }
            #expect(try await site.ask(unit)?.adm == "<p>buyer</p>")
            try await site.campaign(markup: "<p>late</p>") { $0.priority = 9 }
            try await site.campaign(markup: "<p>early</p>") {
                $0.priority = 2
                $0.goal = 1
            }
            #expect(try await site.ask(unit)?.adm == "<p>early</p>")
            #expect(try await site.ask(unit)?.adm == "<p>late</p>")
        }
    }

    @Test func `late, dead, broken and huge bidders cost only their own bids`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await bidder(site, "good", 500_000)
            let gate = site.gate
            site.buyers.answer("slow") { request in
                await gate.wait()
                return FakeBuyers.bids(request, [])
            }
            try await bidder(site, "slow", timeout: 60)
            site.buyers.answer("garbage") { _ in FakeBuyers.json(Array("{\"id\":".utf8)) }
            try await bidder(site, "garbage")
            site.buyers.answer("huge") { _ in
                FakeBuyers.json(Array(repeating: 32, count: OpenRTB.answerBytes + 1))
            }
            try await bidder(site, "huge")
            site.buyers.answer("bomb") { _ in
                let packed = try #require(Data(base64Encoded: Self.bomb))
                return FakeBuyers.json(Array(packed), headers: [.contentEncoding: "gzip"])
            }
            try await bidder(site, "bomb")
            site.buyers.answer("angry") { _ in Response(status: .badRequest) }
            try await bidder(site, "angry")
            let dead = AdBidder(name: "dead", endpoint: "http://127.0.0.1:9/bid", timeout: 200)
            try await site.records.save(site.environmentID, dead)
            for _ in 0..<7 {
                let ad = try #require(try await site.ask(unit))
                #expect(ad.adm.contains("good"))
            }
            gate.open()
            // Five failures in a row, and a bidder is left alone. A request whose time was over before it left
            // a busy machine has failed without having arrived.
            for name in ["slow", "garbage", "huge", "bomb", "angry"] {
                #expect((1...5).contains(site.buyers.asked(name).count), "\(name)")
            }
            #expect(site.buyers.asked("good").count == 7)
        }
    }

    /// A megabyte of spaces in a kilobyte.
    private static let bomb: String = {
        Gzip.packed(Array(repeating: 32, count: 1 << 20)).base64EncodedString()
    }()

    @Test func `an answer that is packed is read like any other`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            let port = site.app.port
            site.buyers.answer("packed") { request in
                var seat = OpenRTB.SeatBid()
                seat.bids = [FakeBuyers.bid("packed", 700_000, port: port)]
                var answer = OpenRTB.BidResponse()
                (answer.id, answer.seatBids) = (request.id, [seat])
                return FakeBuyers.json(Array(Gzip.packed(answer.json)), headers: [.contentEncoding: "gzip"])
            }
            try await bidder(site, "packed")
            #expect(try await site.ask(unit)?.adm.contains("packed") == true)
        }
    }

    @Test func `what the unit blocks does not win, whatever it bids`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit {
                $0.blocks = .init(bcat: ["IAB25"], badv: ["bad.example"], bapp: ["99"], battr: [3])
                $0.allowsMRAID = false
            }
            try await bidder(site, "fair", 100_000)
            let worse: [(String, Int, @Sendable (inout OpenRTB.Bid) -> Void)] = [
                ("category", 209, { $0.categories = ["IAB25-3"] }),
                ("advertiser", 205, { $0.advertiserDomains = ["www.bad.example"] }),
                ("app", 206, { $0.bundle = "99" }), ("attribute", 210, { $0.attributes = [3] }),
                ("plain", 207, { $0.markup = "<p style=\"background:url(http://x.example/a.png)\">" }),
                ("mraid", 204, { $0.markup = "<script src=\"mraid.js\"></script>" }),
                ("size", 203, { ($0.width, $0.height) = (300, 250) }),
                ("deal", 4, { $0.dealID = "unknown" }),
            ]
            for (name, _, change) in worse { try await bidder(site, name, 9_000_000, change: change) }
            #expect(try await site.ask(unit)?.adm.contains("fair") == true)
            let told = try await notices(site, worse.count + 1)
            for (name, reason, _) in worse {
                #expect(told.contains("loss/\(name)?l=\(reason)&p=&m="), "\(name) \(told)")
            }
        }
    }

    @Test func `a deal has its own floor and price, for those it was made with`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit { $0.floorMicros = 100_000 }
            let one = try await bidder(site, "one", 5_000_000, deal: "summer")
            try await bidder(site, "two", 6_000_000, deal: "summer")
            try await bidder(site, "three", 4_000_000)
            try await site.records.save(
                site.environmentID,
                AdDeal(
                    id: "summer", name: "Summer", floorMicros: 3_000_000, price: .fixed,
                    bidderIDs: [one.id]))
            let ad = try #require(try await site.ask(unit))
            #expect(ad.adm.contains(">one<") && ad.adm.contains("p=3\""))
            #expect(
                try await notices(site, 3) == [
                    "loss/three?l=102&p=&m=3", "loss/two?l=4&p=&m=", "win/one?p=3&m=4",
                ])
            #expect(site.buyers.asked("one").first?.impressions.first?.privateMarket?.deals.count == 1)
            #expect(site.buyers.asked("two").first?.impressions.first?.privateMarket?.deals.isEmpty == true)
        }
    }

    @Test func `a notice is sent again until it is acknowledged, and one into a private network never`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await bidder(site, "buyer", 1_000_000)
            let buyers = site.buyers
            buyers.refuse { _ in true }
            _ = try #require(try await site.ask(unit))
            try await site.passTime { !buyers.refused.isEmpty }
            #expect(buyers.notices.isEmpty)
            buyers.refuse { _ in false }
            #expect(try await notices(site, 1) == ["win/buyer?p=1&m=0"])
        }
        try await AdSite.run(configure: { $0.adsPrivateAddresses = false }) { site in
            let unit = try await site.unit()
            try await bidder(site, "buyer", 1_000_000)
            _ = try #require(try await site.ask(unit))
            try await site.until { try await site.count("ad_notices", where: "state = 'failed'") == 1 }
            #expect(site.buyers.notices.isEmpty)
        }
    }

    /// What the ledger says is owed, and where its bills stand.
    private func bills(_ site: AdSite) async throws -> (owed: Int64, states: [String: Int64]) {
        try await site.database.read { connection in
            let rows = try connection.rows(
                """
                SELECT state, CAST(SUM(amount_nanos) AS BIGINT) AS sum FROM ad_notices
                WHERE kind = 'burl' GROUP BY state
                """)
            let owed = try connection.row(
                "SELECT CAST(COALESCE(SUM(amount_nanos), 0) AS BIGINT) AS sum FROM ad_ledger")
            return (
                try owed?.int64("sum") ?? 0,
                Dictionary(try rows.map { (try $0.text("state"), try $0.int64("sum")) }) { $0 + $1 }
            )
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `what was billed is acknowledged or outstanding, to the nano`(_ engine: SQLEngine) async throws {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit { $0.priceRule = .second }
            try await bidder(site, "a", 1_234_567)
            try await bidder(site, "b", 1_111_111)
            let buyers = site.buyers
            var ids: [String] = []
            buyers.refuse { $0.hasPrefix("bill/") }
            for _ in 0..<12 {
                let ad = try #require(try await site.ask(unit))
                ids.append(try #require(ad.ext?.impressionID))
                try await site.call(ad.tracker.view)
            }
            try await site.passTime { buyers.refused.count == 12 }
            #expect(try await bills(site) == (12 * 1_111_111, ["waiting": 12 * 1_111_111]))
            let stubborn = ids.prefix(5)
            buyers.refuse { notice in stubborn.contains { notice.hasSuffix("i=\($0)") } }
            try await site.passTime {
                let (owed, states) = try await bills(site)
                #expect(owed == 12 * 1_111_111 && states.values.reduce(0, +) == owed)
                return states["acknowledged"] == 7 * 1_111_111
            }
            #expect(try await bills(site).states["waiting"] == 5 * 1_111_111)
            buyers.refuse { _ in false }
            try await site.passTime { try await bills(site).states["acknowledged"] == 12 * 1_111_111 }
            #expect(try await bills(site) == (12 * 1_111_111, ["acknowledged": 12 * 1_111_111]))
        }
    }
}
