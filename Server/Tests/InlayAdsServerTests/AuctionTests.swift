import InlayTesting
import Testing

@testable import InlayAdsServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite struct AuctionTests {
    private func bid(
        _ bidder: AdBidderID, _ price: Int64, id: String = "1", floor: Int64 = 0, deal: AdDeal.Price? = nil
    ) -> AuctionBid {
        AuctionBid(bidderID: bidder, bidID: id, priceMicros: price, floorMicros: floor, deal: deal)
    }

    @Test func `the first price is the bid, the second the next buyer's or the floor`() throws {
        let bids = [bid("a", 2_000_000, floor: 500_000), bid("b", 3_000_001, floor: 500_000)]
        let first = try #require(AuctionResult(bids, auctionID: "x", rule: .first))
        #expect(first.winner == 1 && first.paidMicros == 3_000_001 && first.nextMicros == 2_000_000)
        let second = try #require(AuctionResult(bids, auctionID: "x", rule: .second))
        #expect(second.winner == 1 && second.paidMicros == 2_000_000)
        let alone = try #require(AuctionResult([bids[1]], auctionID: "x", rule: .second))
        #expect(alone.paidMicros == 500_000 && alone.nextMicros == nil)
        #expect(AuctionResult([], auctionID: "x", rule: .first) == nil)
    }

    @Test func `nobody pays more for bidding twice`() throws {
        let bids = [bid("a", 5_000_000, id: "1"), bid("a", 4_900_000, id: "2"), bid("b", 1_000_000)]
        let result = try #require(AuctionResult(bids, auctionID: "x", rule: .second))
        #expect(result.winner == 0 && result.paidMicros == 1_000_000)
    }

    @Test func `a deal is paid by its own terms`() throws {
        for (price, paid) in [
            (AdDeal.Price.first, Int64(4_000_000)), (.second, 3_000_000), (.fixed, 2_500_000),
        ] {
            let bids = [bid("a", 4_000_000, floor: 2_500_000, deal: price), bid("b", 3_000_000)]
            for rule in AdUnit.PriceRule.allCases {
                #expect(AuctionResult(bids, auctionID: "x", rule: rule)?.paidMicros == paid)
            }
        }
    }

    @Test func `equal prices are decided the same way everywhere, a deal first, and not always for one`() {
        let deal = bid("z", 1_000_000, deal: .first), open = bid("a", 1_000_000)
        var wins: [AdBidderID: Int] = [:]
        for auction in 0..<400 {
            let id: AdImpressionID = "auction-\(auction)"
            #expect(AuctionResult([open, deal], auctionID: id, rule: .first)?.winner == 1)
            let bids = (["a", "b", "c"] as [AdBidderID]).map { bid($0, 1_000_000) }
            let winners = [[0, 1, 2], [2, 1, 0], [1, 2, 0]].map { order -> AdBidderID in
                let mixed = order.map { bids[$0] }
                return AuctionResult(mixed, auctionID: id, rule: .first).map { mixed[$0.winner].bidderID }
                    ?? ""
            }
            #expect(Set(winners).count == 1)
            wins[winners[0], default: 0] += 1
        }
        #expect(wins.count == 3 && wins.values.allSatisfy { $0 > 80 })
    }

    @Test func `whatever is bid, the winner bid the most and pays from its floor to its bid`() {
        var random = SeededRandom(seed: 26)
        for round in 0..<2_000 {
            let bids = (0..<Int.random(in: 1...8, using: &random)).map { index -> AuctionBid in
                let floor = Int64.random(in: 0...1_000, using: &random)
                let terms: AdDeal.Price? =
                    [nil, nil, .first, .second, .fixed].randomElement(using: &random) ?? nil
                return bid(
                    "b\(Int.random(in: 0...4, using: &random))",
                    floor + Int64.random(in: 1...2_000, using: &random), id: "\(index)", floor: floor,
                    deal: terms)
            }
            for rule in AdUnit.PriceRule.allCases {
                guard let result = AuctionResult(bids, auctionID: "r\(round)", rule: rule) else {
                    Issue.record("There were bids.")
                    continue
                }
                let winner = bids[result.winner]
                #expect(bids.allSatisfy { $0.priceMicros <= winner.priceMicros })
                #expect((winner.floorMicros...winner.priceMicros).contains(result.paidMicros))
                let shuffled = bids.shuffled(using: &random)
                let again = AuctionResult(shuffled, auctionID: "r\(round)", rule: rule)
                #expect(again.map { shuffled[$0.winner] } == winner && again?.paidMicros == result.paidMicros)
            }
        }
    }

    @Test func `a bidder that fails five times in a row is left alone, tried once, and asked again`() {
        let gate = BidderGate(), bidder = AdBidder(name: "B", endpoint: "http://b.example")
        var now = ContinuousClock.now
        for _ in 0..<5 {
            #expect(gate.admits(bidder, at: now))
            gate.report(bidder.id, isFailure: true, at: now)
        }
        #expect(!gate.admits(bidder, at: now) && gate.isClosed(bidder.id))
        now += .seconds(1)
        #expect(gate.admits(bidder, at: now))
        #expect(!gate.admits(bidder, at: now), "only one trial request is sent")
        gate.report(bidder.id, isFailure: true, at: now)
        now += .seconds(1)
        #expect(!gate.admits(bidder, at: now), "the second pause is twice as long")
        now += .seconds(1)
        #expect(gate.admits(bidder, at: now))
        gate.report(bidder.id, isFailure: false, at: now)
        #expect(!gate.isClosed(bidder.id) && gate.admits(bidder, at: now) && gate.admits(bidder, at: now))
    }

    @Test func `a bidder gets as many requests a second as it wants, at most`() {
        let gate = BidderGate(), bidder = AdBidder(name: "B", endpoint: "http://b.example", qps: 10)
        var now = ContinuousClock.now
        for _ in 0..<3 {
            #expect((0..<50).filter { _ in gate.admits(bidder, at: now) }.count == 10)
            now += .seconds(1)
        }
    }

    @Test func `a deal names its bidders by their ids, which are stored in lower case`() throws {
        let bidderID = AdBidderID.make()
        var deal = AdDeal(
            id: "d", name: "D", floorMicros: 1, bidderIDs: [AdBidderID(bidderID.rawValue.uppercased())])
        #expect(try deal.checked().bidderIDs == [bidderID])
        deal.bidderIDs = ["b"]
        let errors = #expect(throws: FieldErrors.self) { try deal.checked() }
        #expect(errors?.items.map(\.field) == ["bidderIDs"])
    }

    @Test func `a notice's host is looked up by the name that is called`() {
        for host in ["xn--bcher-kva.example", "Buyer.Example", "10.0.0.1"] {
            #expect(AddressGuard.host(of: "https://\(host):8443/n?a=1") == host)
        }
        #expect(AddressGuard.host(of: "http://[::1]/n") == "::1")
        for address in ["ftp://buyer.example/", "https://me@buyer.example/", "https:///n", "n"] {
            #expect(AddressGuard.host(of: address) == nil, "\(address)")
        }
    }

    @Test func `addresses of private networks are known in all their clothes`() {
        let refused: [[UInt8]] = [
            [127, 0, 0, 1], [10, 1, 2, 3], [172, 16, 0, 1], [172, 31, 255, 255], [192, 168, 1, 1],
            [169, 254, 169, 254], [0, 0, 0, 0], [100, 64, 0, 1], [224, 0, 0, 1], [255, 255, 255, 255],
            [198, 18, 0, 1], [192, 0, 2, 1], [203, 0, 113, 5],
            Array(repeating: 0, count: 15) + [1], Array(repeating: 0, count: 16),
            Array(repeating: 0, count: 10) + [255, 255, 127, 0, 0, 1],
            [0xfe, 0x80] + Array(repeating: 0, count: 13) + [1],
            [0xfd, 0x00] + Array(repeating: 0, count: 13) + [1],
            [0x00, 0x64, 0xff, 0x9b] + Array(repeating: 0, count: 8) + [10, 0, 0, 1],
            [0x00, 0x64, 0xff, 0x9b, 0x00, 0x01] + Array(repeating: 0, count: 6) + [8, 8, 8, 8],
            [0x20, 0x02, 192, 168, 0, 1] + Array(repeating: 0, count: 10),
        ]
        for bytes in refused { #expect(!IPAddress(bytes: bytes).isPublic, "\(bytes)") }
        let accepted: [[UInt8]] = [
            [8, 8, 8, 8], [172, 32, 0, 1], [192, 169, 0, 1], [100, 128, 0, 1],
            [0x26, 0x06, 0x47, 0x00] + Array(repeating: 0, count: 11) + [1],
            Array(repeating: 0, count: 10) + [255, 255, 8, 8, 8, 8],
            [0x00, 0x64, 0xff, 0x9b] + Array(repeating: 0, count: 8) + [8, 8, 8, 8],
        ]
        for bytes in accepted { #expect(IPAddress(bytes: bytes).isPublic, "\(bytes)") }
    }
}
