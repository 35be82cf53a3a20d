package import Foundation
package import InlayWire

/// How the items of a lane get to where they go.
///
/// Ordinarily an `OutboxWire`, which speaks with the session's own server. Items for somebody else, such as
/// trackers, have a carrier of their own.
package protocol OutboxCarrier: Sendable {
    /// Where items of this wire can be posted by any run as `{"items":[…]}`, also by one that does not use
    /// their feature; `nil`, the default, when only the feature knows how to send them.
    var path: String? { get }

    /// Carries a batch, never an empty one, and says what became of its items. Those left out stay.
    ///
    /// An `APIError` is judged by `verdict`; any other error keeps all.
    func exchange(_ items: [OutboxItem], through api: APIClient) async throws -> [OutboxReply]

    /// What a failure means for a batch of so many items.
    func verdict(on error: APIError, items: Int) -> OutboxVerdict
}

/// How a lane speaks: the call that carries a batch, and what an answer says of its items.
package protocol OutboxWire: OutboxCarrier {
    /// The call for these items, never none. What it throws keeps them; nothing was sent then.
    func call(for items: [OutboxItem]) async throws -> APICall

    /// What an answer with a good status says. Items that it leaves out stay in the lane.
    ///
    /// An answer that cannot be this server's throws `APIError.Kind.invalidAnswer`, which keeps all.
    func replies(to items: [OutboxItem], by response: APIResponse) throws(APIError) -> [OutboxReply]
}

extension OutboxCarrier {
    package var path: String? { nil }
}

extension OutboxWire {
    package func exchange(_ items: [OutboxItem], through api: APIClient) async throws -> [OutboxReply] {
        try replies(to: items, by: try await api.send(try await call(for: items)))
    }

    package func verdict(on error: APIError, items: Int) -> OutboxVerdict { OutboxVerdict(error) }
}

/// The word of a server on one item.
package struct OutboxReply: Hashable, Sendable {
    /// The item's id.
    package var id: String
    /// Why it was refused for good; `nil` when it was taken.
    package var refusal: Problem?
    /// What the answer held for whoever waits for this item, handed to the feature's settling.
    package var answer: Data?

    package init(id: String, refusal: Problem? = nil, answer: Data? = nil) {
        self.id = id
        self.refusal = refusal
        self.answer = answer
    }
}

/// The house's own wire: `{"items":[…]}`, answered with a `BatchReceipt`.
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

    /// JSON documents joined into the array that `opening` opens.
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
