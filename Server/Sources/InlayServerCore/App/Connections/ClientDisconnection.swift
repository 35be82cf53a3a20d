@_spi(Inlay) package import InlayWire
import NIOCore
import NIOHTTP1

/// Distinguishes errors of a client's connection from faults of the server.
package enum ClientDisconnection {
    /// Whether an error of reading a request means that the client hung up or broke HTTP's framing.
    package static func caused(_ error: any Error) -> Bool {
        error is HTTPParserError || error is ChannelError || error is IOError
    }
}

extension Problem {
    /// The problem of a body that ended early. Usually the client is gone and does not read it.
    package static let bodyIncomplete = Problem(
        .malformedRequest, status: 400, title: "The body ended too early.",
        detail: "The connection was closed before the whole body had arrived.")
}
