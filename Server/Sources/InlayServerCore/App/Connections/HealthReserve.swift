import Hummingbird
import HummingbirdCore
@_spi(Inlay) import InlayWire
import NIOCore

extension HTTPSocketChannel {
    /// The handler of a connection of the reserve: it answers one request, which has to be a health check.
    var forHealthChecks: HTTPSocketChannel {
        var reserve = self
        reserve.responder = { [responder] request, writer, channel in
            if ConnectionLimiter.isHealthCheck(request.uri.path) {
                try await responder(request, writer, channel)
            } else {
                let response = Problem.tooManyConnections.problemResponse(headers: [.retryAfter: "5"])
                try await writer.write(response: response.head, body: response.body)
            }
            // After the response: the event loop keeps the order.
            channel.close(promise: nil)
        }
        return reserve
    }
}

extension Problem {
    /// The server, or this network's share of it, is full.
    static let tooManyConnections = Problem(
        .unavailable, status: 503, title: "There are too many connections.",
        detail: "Close some of them, or try again later.")
}
