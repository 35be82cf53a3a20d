import Foundation
public import InlayCore
@_spi(Inlay) public import InlayWire

/// A scripted server's response to a request.
public enum ScriptedResponse: Sendable {
    /// This response.
    case response(TransportResponse)
    /// This error, without a response.
    case failure(TransportError)
    /// The result of a closure.
    case handler(@Sendable (TransportRequest) async throws(TransportError) -> TransportResponse)

    /// Returns the response to a request.
    public func response(to request: TransportRequest) async throws(TransportError) -> TransportResponse {
        switch self {
        case .response(let response): return response
        case .failure(let error): throw error
        case .handler(let handler): return try await handler(request)
        }
    }

    /// A response with a status and no body.
    public static func status(_ status: Int, headers: [String: String] = [:]) -> Self {
        .response(TransportResponse(status: status, headers: headers))
    }

    /// A response of JSON with status 200.
    public static func json(_ value: some Encodable, headers: [String: String] = [:]) throws -> Self {
        .response(TransportResponse(status: 200, headers: headers, body: try JSONEncoder().encode(value)))
    }

    /// A response of a problem document with its status.
    public static func problem(_ problem: Problem, headers: [String: String] = [:]) throws -> Self {
        let body = try JSONEncoder().encode(problem)
        return .response(TransportResponse(status: problem.status, headers: headers, body: body))
    }

    /// A response that accepts every item of a batch.
    public static var receipts: Self { receipts { _ in nil } }

    /// A response that refuses the items of a batch for which the closure returns a refusal for their id, and accepts
    /// the others.
    public static func receipts(refusing refusal: @escaping @Sendable (String) -> Problem?) -> Self {
        .handler { request in
            let ids = ScriptedBatch.ids(request)
            let receipt = BatchReceipt(receipts: ids.map { ItemReceipt(id: $0, refusal: refusal($0)) })
            guard let body = try? JSONEncoder().encode(receipt) else { return TransportResponse(status: 500) }
            return TransportResponse(status: 200, body: body)
        }
    }
}

/// The decoding of the batches that the SDK sends.
public enum ScriptedBatch {
    /// Returns the ids of a batch's items, in order; empty when the body is no batch.
    public static func ids(_ request: TransportRequest) -> [String] {
        struct Item: Codable { var id: String }
        guard let body = request.body else { return [] }
        return (try? JSONDecoder().decode(Batch<Item>.self, from: body))?.items.map(\.id) ?? []
    }
}
