import AsyncHTTPClient
@_spi(Inlay) import InlayWire
package import NIOCore
package import NIOHTTP1

/// A request of this server to an address that comes from an operator or from another server.
package struct OutgoingRequest: Sendable {
    /// An address of http or https, with a port of 1 to 65,535 if it has one. Characters that may not stand in a URL
    /// are percent-encoded; encoded ones are sent byte for byte.
    let url: String
    var method = HTTPMethod.GET
    package var headers: HTTPHeaders = ["User-Agent": "Inlay"]
    var body: ByteBuffer?
    /// The largest body that is read, in bytes, before and after it is unpacked; 0 reads none.
    package var maximumBodySize = 0

    package init(
        url: String, method: HTTPMethod = HTTPMethod.GET, headers: HTTPHeaders = ["User-Agent": "Inlay"],
        body: ByteBuffer? = nil, maximumBodySize: Int = 0
    ) {
        // The HTTP client would encode the whole component with one such byte, and encode again what is encoded
        // already.
        self.url = WebAddress.escaped(url)
        self.method = method
        self.headers = headers
        self.body = body
        self.maximumBodySize = maximumBodySize
    }
}

/// The response to an outgoing request.
package struct OutgoingResponse: Sendable {
    package let status: Int
    /// The unpacked body; empty when none was to be read.
    package let body: ByteBuffer
}

/// The reason why there is no response that can be used.
package enum OutgoingFailure: Error, Hashable, CustomStringConvertible {
    /// The URL is not one of http or https, has a user name in it, or a port of 0 or above 65,535.
    case invalidURL
    /// The host has an address that this server does not call.
    case refusedAddress(String)
    /// The deadline passed, at whatever stage.
    case timeout
    /// All hosts that the client keeps have requests under way, so this request was not sent.
    case busy
    /// No connection, or one that broke.
    case connection(String)
    /// The body is larger than the limit, before or after it is unpacked.
    case tooLarge
    /// The body's content encoding is unknown, or the content is damaged.
    case unreadable

    package var description: String {
        switch self {
        case .invalidURL: "not an address of http or https"
        case .refusedAddress(let words), .connection(let words): words
        case .timeout: "no answer in time"
        case .busy: "too many other hosts are being called"
        case .tooLarge: "the answer is too large"
        case .unreadable: "the answer cannot be unpacked"
        }
    }
}
