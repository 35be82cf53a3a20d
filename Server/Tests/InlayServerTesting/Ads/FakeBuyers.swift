import Foundation
import HTTPTypes
import Hummingbird
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import NIOCore

@testable import InlayOpenRTB
@testable import InlayServerCore

/// Bidders and the receivers of their notices, on the server's own port, with the responses that a test sets.
final class FakeBuyers: ServerFeature {
    /// Answers a request as one bidder.
    typealias Responder = @Sendable (OpenRTB.BidRequest) async throws -> Response

    private struct State {
        var responders: [String: Responder] = [:]
        var requests: [String: [OpenRTB.BidRequest]] = [:]
        var notices: [String] = []
        var refusal: @Sendable (String) async -> Bool = { _ in false }
        var refused: Set<String> = []
        var devices: [String: String] = [:]
    }

    private let state = NIOLockedValueBox(State())

    /// The acknowledged notices, as path and query below `test/notice/`, sorted.
    var notices: [String] { state.withLockedValue { $0.notices.sorted() } }

    /// Returns the requests that a bidder received.
    func requests(to name: String) -> [OpenRTB.BidRequest] {
        state.withLockedValue { $0.requests[name] ?? [] }
    }

    func setResponder(_ name: String, _ responder: @escaping Responder) {
        state.withLockedValue { $0.responders[name] = responder }
    }

    /// The address of the device that each notice names.
    var noticeDeviceAddresses: [String: String] { state.withLockedValue { $0.devices } }

    /// The notices that were answered with 500.
    var refusedNotices: Set<String> { state.withLockedValue { $0.refused } }

    /// Answers only the notices for which `isRefused` holds with 500 from now on.
    func refuseNotices(where isRefused: @escaping @Sendable (String) async -> Bool) {
        state.withLockedValue { $0.refusal = isRefused }
    }

    func addRoutes(to routes: ServerRoutes) {
        routes.root.post("test/bidder/{name}") { [self] request, context in
            let name = try context.parameters.require("name")
            let document = try RTBDocument<OpenRTB.BidRequest>(reading: try await request.bytes())
            let responder = state.withLockedValue { state in
                state.requests[name, default: []].append(document.object)
                return state.responders[name]
            }
            guard let responder else { return Response(status: .noContent) }
            return try await responder(document.object)
        }
        routes.root.get("test/notice/**") { [self] request, _ in
            let notice = String(request.uri.description.dropFirst("/test/notice/".count))
            let isRefused = await state.withLockedValue { $0.refusal }(notice)
            let device = HTTPField.Name("X-Device-IP").flatMap { request.headers[$0] }
            state.withLockedValue { state in
                state.devices[notice] = device
                if isRefused { state.refused.insert(notice) } else { state.notices.append(notice) }
            }
            return Response(status: isRefused ? .internalServerError : .noContent)
        }
    }

    /// Returns a response of 200 with these bids of one seat.
    static func bids(_ request: OpenRTB.BidRequest, _ bids: [OpenRTB.Bid], seat: String = "s") -> Response {
        var seatBid = OpenRTB.SeatBid()
        (seatBid.seat, seatBid.bids) = (seat, bids)
        var answer = OpenRTB.BidResponse()
        (answer.id, answer.bidID, answer.seatBids) = (request.id, "answer-1", [seatBid])
        return json(answer.json)
    }

    static func json(_ bytes: [UInt8], headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Returns a bid for the request's only impression, with all three notices to this server.
    static func bid(
        _ id: String, _ priceMicros: Int64, port: Int, deal: String? = nil,
        change: (inout OpenRTB.Bid) -> Void = { _ in }
    ) -> OpenRTB.Bid {
        var bid = OpenRTB.Bid()
        (bid.id, bid.impressionID, bid.priceMicros) = (id, "1", priceMicros)
        bid.markup = "<a href=\"https://ad.example/${AUCTION_ID}?p=${AUCTION_PRICE}\">\(id)</a>"
        (bid.markupType, bid.creativeID, bid.dealID) = (1, "cr-\(id)", deal)
        bid.advertiserDomains = ["advertiser.example"]
        let base = "http://127.0.0.1:\(port)/test/notice"
        bid.winURL = "\(base)/win/\(id)?p=${AUCTION_PRICE}&m=${AUCTION_MIN_TO_WIN}"
        bid.billingURL = "\(base)/bill/\(id)?p=${AUCTION_PRICE}&i=${AUCTION_ID}"
        bid.lossURL = "\(base)/loss/\(id)?l=${AUCTION_LOSS}&p=${AUCTION_PRICE}&m=${AUCTION_MIN_TO_WIN}"
        change(&bid)
        return bid
    }
}
