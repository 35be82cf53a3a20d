import Foundation
import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire
import NIOCore
import NIOFoundationCompat

/// `POST /rest/events/submission` and `GET /rest/events/errors`.
struct EventRoutes: Sendable {
    let authentication: BehaviorAuthentication
    let intake: EventIntake
    let refusals: EventRefusals

    func submit(_ request: Request) async throws -> Response {
        let caller = try await authentication.caller(.init(request.headers))
        guard request.mediaType == "application/json" else { throw Problem.unsupportedMediaType }
        let body = try await request.bytes()
        let receipts = try await intake.submit(
            Data(buffer: body, byteTransferStrategy: .noCopy), from: caller)
        if let plain = Self.plain(receipts) { return Response.json(bytes: Data(plain.utf8)) }
        return try Response.json(BatchReceipt(receipts: receipts))
    }

    /// Returns the response when all events were accepted and no id needs an escape; `nil` otherwise. The
    /// text is that of `JSONEncoder`, which takes ten times as long.
    static func plain(_ receipts: [ItemReceipt]) -> String? {
        var text = "{\"receipts\":["
        text.reserveCapacity(16 + receipts.count * 48)
        for (index, receipt) in receipts.enumerated() {
            let isPlain = receipt.id.utf8.allSatisfy {
                $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
            guard receipt.refusal == nil, isPlain else { return nil }
            text += index == 0 ? "{\"id\":\"" : ",{\"id\":\""
            text += receipt.id
            text += "\"}"
        }
        return text + "]}"
    }

    private struct RefusedEvent: Encodable {
        let seq: Int64
        let eventId: String
        let eventTypeCode: String
        let receivedAt: Timestamp
        let refusal: Problem
    }

    private struct ErrorList: Encodable { let errors: [RefusedEvent] }

    /// Lists the caller's refused events, newest first. Query parameters are `filter` (an event's id or code,
    /// or a problem's code), `before` (a `seq`) and `limit` (1 to 500).
    func errors(_ request: Request) async throws -> Response {
        let caller = try await authentication.caller(.init(request.headers))
        let query = request.uri.queryParameters
        let filter = query["filter"].flatMap { $0.isEmpty ? nil : String($0) }
        guard (filter?.utf8.count ?? 0) <= 256 else {
            throw Problem.invalidValue("filter", "At most 256 bytes.")
        }
        let found = try await refusals.list(
            caller.environmentID, userID: caller.userID, filter: filter,
            before: query["before"].flatMap { Int64($0) }, limit: query["limit"].flatMap { Int($0) } ?? 100)
        let listed = found.map {
            RefusedEvent(
                seq: $0.seq, eventId: $0.eventID, eventTypeCode: $0.eventCode, receivedAt: $0.receivedAt,
                refusal: $0.problem)
        }
        return try Response.json(ErrorList(errors: listed))
    }
}
