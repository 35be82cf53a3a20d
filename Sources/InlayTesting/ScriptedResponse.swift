import Foundation
public import InlayCore
@_spi(Inlay) public import InlayWire

/// A scripted server's answer to a request.
public enum ScriptedResponse: Sendable {
    /// Answers.
    case response(TransportResponse)
    /// No answer comes.
    case failure(TransportError)
    /// Answers what the closure makes of the request.
    case handler(@Sendable (TransportRequest) async throws(TransportError) -> TransportResponse)

    /// The response to this request.
    public func response(to request: TransportRequest) async throws(TransportError) -> TransportResponse {
        switch self {
        case .response(let response): return response
        case .failure(let error): throw error
        case .handler(let handler): return try await handler(request)
        }
    }

    /// A status without a body.
    public static func status(_ status: Int, headers: [String: String] = [:]) -> Self {
        .response(TransportResponse(status: status, headers: headers))
    }

    /// A JSON document with status 200.
    public static func json(_ value: some Encodable, headers: [String: String] = [:]) throws -> Self {
        .response(TransportResponse(status: 200, headers: headers, body: try JSONEncoder().encode(value)))
    }

    /// A problem document with its status.
    public static func problem(_ problem: Problem, headers: [String: String] = [:]) throws -> Self {
        let body = try JSONEncoder().encode(problem)
        return .response(TransportResponse(status: problem.status, headers: headers, body: body))
    }

    /// Accepts every item of a batch.
    public static var receipts: Self { receipts { _ in nil } }

    /// Answers each item of a batch, by its id, with a refusal or with `nil` for accepted.
    public static func receipts(refusing refusal: @escaping @Sendable (String) -> Problem?) -> Self {
        .handler { request in
            let ids = ScriptedBatch.ids(request)
            let receipt = BatchReceipt(receipts: ids.map { ItemReceipt(id: $0, refusal: refusal($0)) })
            guard let body = try? JSONEncoder().encode(receipt) else { return TransportResponse(status: 500) }
            return TransportResponse(status: 200, body: body)
        }
    }
}

/// Reads what the SDK sends in batches.
public enum ScriptedBatch {
    /// The ids of the items of a batch, in order; empty when the body is no batch.
    public static func ids(_ request: TransportRequest) -> [String] {
        struct Item: Codable { var id: String }
        guard let body = request.body else { return [] }
        return (try? JSONDecoder().decode(Batch<Item>.self, from: body))?.items.map(\.id) ?? []
    }
}
