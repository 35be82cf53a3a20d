import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// A request of this server to an address that somebody else chose.
struct OutgoingRequest: Sendable {
    /// An address of http or https.
    let url: String
    var method = HTTPMethod.GET
    var headers: HTTPHeaders = ["User-Agent": "Inlay"]
    var body: ByteBuffer?
    /// The largest body that is read, in bytes, before and after it is unpacked; 0 reads none.
    var maximumBodySize = 0
}

/// What came back.
struct OutgoingResponse: Sendable {
    let status: Int
    /// The unpacked body; empty when none was to be read.
    let body: ByteBuffer
}

/// Why nothing came back that can be used.
enum OutgoingFailure: Error, Hashable, CustomStringConvertible {
    /// The URL is none of http or https, or has a user name in it.
    case invalidURL
    /// The host leads where this server does not go.
    case refusedAddress(String)
    /// The deadline passed, at whatever stage.
    case timeout
    /// No connection, or one that broke.
    case connection(String)
    /// The body is larger than the limit, before or after it is unpacked.
    case tooLarge
    /// The body's packing is unknown or damaged.
    case unreadable

    var description: String {
        switch self {
        case .invalidURL: "not an address of http or https"
        case .refusedAddress(let words), .connection(let words): words
        case .timeout: "no answer in time"
        case .tooLarge: "the answer is too large"
        case .unreadable: "the answer cannot be unpacked"
        }
    }
}
