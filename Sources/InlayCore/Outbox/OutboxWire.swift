package import Foundation
@_spi(Inlay) package import InlayWire

/// A way of sending the items of a lane.
///
/// Ordinarily an `OutboxWire`, which sends to the session's own server. Items for other servers, such as
/// trackers, have a carrier of their own.
package protocol OutboxCarrier: Sendable {
    /// The path to which a run that does not use the items' feature can post them as `{"items":[…]}`; `nil`, the
    /// default, when only the feature can send them.
    var path: String? { get }

    /// Sends a batch, never an empty one, and returns the replies to its items. Items without a reply stay.
    ///
    /// After an `APIError`, `verdict` decides; any other error keeps all items.
    func send(_ items: [OutboxItem], through api: APIClient) async throws -> [OutboxReply]

    /// Returns the consequence of a failure for a batch of this many items.
    func verdict(on error: APIError, items: Int) -> OutboxVerdict
}

/// The encoding of a lane's batches and responses.
package protocol OutboxWire: OutboxCarrier {
    /// Returns the call for these items, at least one. An error keeps the items; nothing is sent then.
    func call(for items: [OutboxItem]) async throws -> APICall

    /// Returns the replies to the items in a successful response. Items without a reply stay in the lane.
    ///
    /// A response that cannot be this server's throws `APIError.Kind.invalidAnswer`, which keeps all items.
    func replies(to items: [OutboxItem], by response: APIResponse) throws(APIError) -> [OutboxReply]
}

extension OutboxCarrier {
    package var path: String? { nil }
}

extension OutboxWire {
    package func send(_ items: [OutboxItem], through api: APIClient) async throws -> [OutboxReply] {
        try replies(to: items, by: try await api.send(try await call(for: items)))
    }

    package func verdict(on error: APIError, items: Int) -> OutboxVerdict { OutboxVerdict(error) }
}

/// A server's reply to one item.
package struct OutboxReply: Hashable, Sendable {
    /// The item's id.
    package var id: String
    /// The reason why the item was refused for good; `nil` when it was accepted.
    package var refusal: Problem?
    /// The part of the response that the feature's settling receives for this item.
    package var response: Data?

    package init(id: String, refusal: Problem? = nil, response: Data? = nil) {
        self.id = id
        self.refusal = refusal
        self.response = response
    }
}

/// The wire format of Inlay's own endpoints: `{"items":[…]}`, answered with a `BatchReceipt`.
package struct BatchWire: OutboxWire {
    private let address: String

    package var path: String? { address }

    package init(path: String) { address = path }

    package func call(for items: [OutboxItem]) -> APICall {
        APICall("POST", address, body: Self.body(#"{"items":["#, items.map(\.body)))
    }

    package func replies(
        to items: [OutboxItem], by response: APIResponse
    ) throws(APIError) -> [OutboxReply] {
        try response.decoded(BatchReceipt.self).receipts.map { OutboxReply(id: $0.id, refusal: $0.refusal) }
    }

    /// Returns JSON documents joined into the array that `opening` opens, with the closing `]}`.
    package static func body(_ opening: String, _ documents: [Data]) -> Data {
        var body = Data(opening.utf8)
        body.reserveCapacity(opening.utf8.count + documents.reduce(2) { $0 + $1.count + 1 })
        for (index, document) in documents.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body.append(document)
        }
        body.append(contentsOf: Array("]}".utf8))
        return body
    }
}

/// The consequence of a failed batch for its items.
package enum OutboxVerdict: Hashable, Sendable {
    /// Keep all and try again, no sooner than the server asked.
    case wait(retryAfter: Duration?)
    /// The request was too large, or an item in it was refused: smaller requests find out which.
    case split(Problem)
    /// Count an attempt of every item, and give up those that had their last one.
    case spend(Problem, retryAfter: Duration?)

    /// Derives the consequence of an error. Only our own server's response gives an item up: a proxy or a captive
    /// portal also answers 404.
    package init(_ error: APIError) {
        guard case .refused(let problem) = error.kind else {
            self = .wait(retryAfter: error.retryAfter)
            return
        }
        switch problem.status {
        case 413: self = .split(problem)
        case 400, 404, 405, 409, 410, 415, 422:
            let isOurs = problem.code != .foreignAnswer && problem.code != .unknownKey
            self = isOurs ? .split(problem) : .wait(retryAfter: error.retryAfter)
        // 401 and 403 mean the session, not the item; 408, 425, 429 and 5xx pass.
        default: self = .wait(retryAfter: error.retryAfter)
        }
    }
}
