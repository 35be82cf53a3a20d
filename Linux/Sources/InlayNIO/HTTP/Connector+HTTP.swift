import Foundation
import InlayCore
import NIOCore
import NIOHTTP1

extension Connector {
    /// Sends a request over a new connection and returns the response.
    func send(
        _ request: TransportRequest, to address: ServerAddress
    ) async throws(TransportError) -> TransportResponse {
        try await attempt(request, to: address, then: .close) { channel, answer in
            let operations = channel.pipeline.syncOperations
            try operations.addHTTPClientHandlers()
            try operations.addHandler(ExchangeHandler(request: request, address: address, answer: answer))
        }
    }
}
