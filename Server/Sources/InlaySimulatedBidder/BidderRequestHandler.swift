import HTTPTypes
import Hummingbird
import InlayOpenRTB
import InlayServerCore
@_spi(Inlay) import InlayWire
import NIOCore

/// The request handlers of a simulated bidder.
struct BidderRequestHandler: Sendable {
    let configuration: SimulatedBidder.Configuration
    let log: BidderLog

    func bid(_ request: Request, port: Int) async throws -> Response {
        let body = try await request.body.collect(upTo: OpenRTB.maximumRequestBytes)
        let bidRequest: OpenRTB.BidRequest
        do throws(OpenRTB.Fault) {
            let document = try RTBDocument<OpenRTB.BidRequest>(reading: body)
            let faults = OpenRTB.RequestCheck.faults(document)
            guard faults.isEmpty else {
                let words = faults.map(\.description).joined(separator: "\n")
                log.add(.request, auction: document.object.id, detail: words)
                return Self.response(.badRequest, "text/plain; charset=utf-8", Array(words.utf8))
            }
            bidRequest = document.object
        } catch {
            log.add(.request, auction: "", detail: error.description)
            return Self.response(.badRequest, "text/plain; charset=utf-8", Array(error.description.utf8))
        }
        log.add(.request, auction: bidRequest.id)
        return try await respond(to: bidRequest, number: log.count(of: .request), port: port)
    }

    func notice(_ kind: BidderLog.Kind, _ request: Request) -> Response {
        let query = request.uri.queryParameters
        log.add(kind, auction: query["auction"].map(String.init) ?? "", detail: request.uri.query ?? "")
        return Response(status: .noContent)
    }

    private func respond(to bidRequest: OpenRTB.BidRequest, number: Int, port: Int) async throws -> Response {
        switch configuration.behavior {
        case .fast: break
        case .slow: try await Task.sleep(for: configuration.delay)
        case .dead:
            // Waits until the connection is closed or the bidder stops.
            let (never, continuation) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            continuation.finish()
        case .garbage: return Self.json(InvalidBidResponse.malformed(number, bidRequest.id))
        case .huge: return Self.json(InvalidBidResponse.oversized(bidRequest.id))
        case .packed:
            var response = Self.json(InvalidBidResponse.compressed)
            response.headers[.contentEncoding] = "gzip"
            return response
        case .nobid: return Response(status: .noContent)
        case .broken: return Response(status: .internalServerError)
        }
        let bids = bidRequest.impressions.compactMap { bid($0, bidRequest, number, port) }
        guard !bids.isEmpty else { return Response(status: .noContent) }
        var response = OpenRTB.BidResponse()
        (response.id, response.bidID, response.currency) = (
            bidRequest.id, "answer-\(number)", configuration.currency
        )
        var seat = OpenRTB.SeatBid()
        (seat.seat, seat.bids) = (configuration.seat, bids)
        response.seatBids = [seat]
        return Self.json(response.json)
    }

    private func bid(
        _ impression: OpenRTB.Impression, _ bidRequest: OpenRTB.BidRequest, _ number: Int, _ port: Int
    ) -> OpenRTB.Bid? {
        let creative = BidderCreative(configuration: configuration, port: port)
        var bid = OpenRTB.Bid()
        if let banner = impression.banner {
            bid.markupType = 1
            (bid.width, bid.height) = (banner.width, banner.height)
            bid.markup = creative.banner
        } else if impression.video != nil {
            (bid.markupType, bid.durationSeconds) = (2, creative.seconds)
            bid.markup = creative.vast
        } else {
            return nil
        }
        (bid.id, bid.impressionID) = ("bid-\(number)-\(impression.id)", impression.id)
        bid.priceMicros = configuration.priceMicros
        bid.advertiserDomains = [configuration.domain]
        bid.categories = configuration.categories
        (bid.adID, bid.creativeID, bid.campaignID) = ("ad-1", "creative-1", "campaign-1")
        let deals = impression.privateMarket?.deals ?? []
        bid.dealID = deals.first { $0.id == configuration.dealID }?.id
        bid.winURL = creative.notice(.win)
        bid.billingURL = creative.notice(.bill)
        bid.lossURL = creative.notice(.loss)
        return bid
    }

    private static func json(_ bytes: [UInt8]) -> Response {
        var response = response(.ok, "application/json", bytes)
        response.headers[.init("x-openrtb-version") ?? .contentType] = OpenRTB.version
        return response
    }

    static func response(_ status: HTTPResponse.Status, _ type: String, _ bytes: [UInt8]) -> Response {
        Response(
            status: status, headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
