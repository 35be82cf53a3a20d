import Foundation
import InlayOpenRTB
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A measurement of the exchange's JSON parser, compared with Foundation's decoder for the same bytes and values.
struct AdDecoding {
    let turns: Int

    func measure() async throws -> [BenchRow] {
        let request = Array(try JSONEncoder().encode(AdDecodingSamples.request))
        let data = Data(request)
        guard try AdRequestReader.read(request) == JSONDecoder().decode(AdRequest.self, from: data) else {
            throw BenchError("The two decoders do not agree.")
        }
        var own: [Double] = []
        var peer: [Double] = []
        var bids: [Double] = []
        let decoder = JSONDecoder()
        let answer = AdDecodingSamples.answer
        // The decoders alternate, so that other work on the machine slows them equally.
        for _ in 0..<turns {
            own.append(rate { (try? AdRequestReader.read(request)) != nil })
            peer.append(rate { (try? decoder.decode(AdRequest.self, from: data)) != nil })
            bids.append(rate { (try? RTBDocument<OpenRTB.BidResponse>(reading: answer)) != nil })
        }
        return [
            BenchRow(
                name: "decoder of ad requests, \(request.count) bytes", value: Percentiles(own).at(50),
                unit: "requests/s", peer: .init(name: "JSONDecoder", value: Percentiles(peer).at(50))),
            BenchRow(
                name: "  a bidder's answer, \(answer.count) bytes", value: Percentiles(bids).at(50),
                unit: "answers/s"),
        ]
    }

    private func rate(_ work: () -> Bool) -> Double {
        let start = ContinuousClock.now
        var good = 0
        for _ in 0..<500 where work() { good += 1 }
        return Double(good) / ((ContinuousClock.now - start) / .seconds(1))
    }
}

/// An ad request and a bidder's response.
enum AdDecodingSamples {
    static let request = AdRequest(
        ifa: "6D92078A-8246-4BA4-AE5B-76104861E7DC", pubID: "7B3C2E0A-52D1-4E1B-9B0E-0D6B0B8B8D1F",
        unitID: "D0F6A0C2-3D0F-4B75-8A53-4D2D3A6C9F10", bundle: "com.example.ferries",
        userAgent:
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
        appName: "Harbor ferries", geo: AdGeo(latitude: 55.751244, longitude: 37.618423, precision: 25),
        ext: AdRequestExtension(
            consent: AdConsent(
                gdprApplies: true,
                tcf: "CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA.YAAAAAAAAAAA", gpp: "DBABMA~x",
                gppSids: [2],
                coppa: false, lmt: false, att: 3),
            format: .banner, size: AdSize(width: 320, height: 50), sdkVersion: "0.1.0",
            storeID: "1234567890"))

    static let answer: [UInt8] = {
        var bid = OpenRTB.Bid()
        (bid.id, bid.impressionID, bid.priceMicros) = ("bid-1", "1", 1_250_000)
        bid.markup = String(repeating: "<div class=\"ad\">Evening ferry</div>", count: 20)
        (bid.advertiserDomains, bid.creativeID, bid.campaignID) = (["harbor.test"], "c-1", "k-1")
        (bid.width, bid.height, bid.markupType) = (320, 50, 1)
        bid.winURL = "https://bid.test/win?a=${AUCTION_ID}&p=${AUCTION_PRICE}"
        bid.billingURL = "https://bid.test/bill?a=${AUCTION_ID}&p=${AUCTION_PRICE}"
        bid.lossURL = "https://bid.test/loss?a=${AUCTION_ID}&l=${AUCTION_LOSS}"
        var seat = OpenRTB.SeatBid()
        (seat.seat, seat.bids) = ("s1", [bid])
        var answer = OpenRTB.BidResponse()
        (answer.id, answer.bidID, answer.currency, answer.seatBids) = ("auction-1", "b-1", "USD", [seat])
        return answer.json
    }()
}
