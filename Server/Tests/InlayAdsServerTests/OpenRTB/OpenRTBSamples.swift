@_spi(Inlay) import InlayWire

@testable import InlayOpenRTB
@testable import InlayServerTesting

/// Requests and bids for tests, written by hand.
enum OpenRTBSamples {
    static let adRequest = AdRequest(
        ifa: "6D92078A-8246-4BA4-AE5B-76104861E7DC", pubID: "3f1c9b1e-0000-4000-8000-00000000aaaa",
        unitID: "3f1c9b1e-0000-4000-8000-00000000bbbb", bundle: "com.example.demo",
        userAgent: "Mozilla/5.0 (iPhone)", appName: "Demo shop",
        geo: AdGeo(latitude: 55.751244, longitude: 37.618423, precision: 25))

    static func supply(_ format: AdFormat = .banner, floor: Int64 = 500_000) -> OpenRTB.Supply {
        var supply = OpenRTB.Supply(
            unitID: adRequest.unitID, format: format, size: AdSize(width: 320, height: 50),
            floorMicros: floor)
        supply.publisher.name = "Harbor"
        supply.appID = "app-1"
        supply.exchangeDomain = "ads.harbor.test"
        return supply
    }

    static func request(
        _ format: AdFormat = .banner, floor: Int64 = 500_000, consent: AdConsent? = nil, vendorID: Int? = nil,
        change: (inout OpenRTB.Supply) -> Void = { _ in }
    ) -> OpenRTB.BidRequest {
        var request = adRequest
        if let consent { request.ext = AdRequestExtension(consent: consent) }
        var supply = supply(format, floor: floor)
        change(&supply)
        return OpenRTB.BidRequest(
            id: "auction-1", for: request, supply: supply, caller: .init(address: "203.0.113.77"),
            consent: OpenRTB.ConsentSignals(consent).consent(for: .vendor(vendorID)),
            maximumMilliseconds: 300)
    }

    static func bid(_ change: (inout OpenRTB.Bid) -> Void = { _ in }) -> OpenRTB.Bid {
        var bid = OpenRTB.Bid()
        (bid.id, bid.impressionID, bid.priceMicros) = ("b1", "1", 1_250_000)
        bid.markup = "<a href=\"https://shop.test\"><img src=\"https://cdn.test/x.png\"></a>"
        (bid.markupType, bid.width, bid.height) = (1, 320, 50)
        bid.advertiserDomains = ["shop.test"]
        bid.creativeID = "c1"
        change(&bid)
        return bid
    }

    static func answer(_ bids: OpenRTB.Bid..., seat: String? = "s1") -> OpenRTB.BidResponse {
        var answer = OpenRTB.BidResponse()
        answer.id = "auction-1"
        var seatBid = OpenRTB.SeatBid()
        (seatBid.seat, seatBid.bids) = (seat, bids)
        answer.seatBids = [seatBid]
        return answer
    }

    static func check(
        _ answer: OpenRTB.BidResponse, to request: OpenRTB.BidRequest = request()
    ) throws -> OpenRTB.ResponseCheck {
        OpenRTB.ResponseCheck(try RTBDocument(reading: answer.json), to: request)
    }
}
