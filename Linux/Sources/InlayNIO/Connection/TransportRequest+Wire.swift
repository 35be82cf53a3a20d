import InlayCore
import NIOHTTP1

extension TransportRequest {
    /// Throws when the method or a header could inject another header or another request.
    ///
    /// NIO refuses most of these too, but reports no error for a WebSocket, so that the caller would wait until its
    /// time-out.
    func refuseSmuggling() throws(TransportError) {
        guard Self.isToken(method) else { throw .unsupported("a method that is no token") }
        for (name, value) in headers {
            guard Self.isToken(name) else { throw .unsupported("a header name that is no token") }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .unsupported("control characters in the header \(name)")
            }
        }
    }

    /// Whether a text is a token (RFC 9110, 5.6.2).
    private static func isToken(_ text: String) -> Bool {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        return !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: marks.contains(byte)
                }
            }
    }

    /// The caller's header fields without those that frame the message. The transport sets those; a duplicate
    /// would allow request smuggling.
    var wireHeaders: HTTPHeaders {
        HTTPHeaders(headers.filter { !Self.framing.contains($0.key.lowercased()) }.map { ($0.key, $0.value) })
    }

    private static let framing: Set<String> = [
        "connection", "content-length", "host", "keep-alive", "sec-websocket-accept",
        "sec-websocket-extensions",
        "sec-websocket-key", "sec-websocket-version", "te", "trailer", "transfer-encoding", "upgrade",
    ]
}

extension HTTPHeaders {
    /// The fields by lower-case name; repeated fields are joined with commas (RFC 9110, 5.3).
    var joined: [String: String] {
        Dictionary(map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
    }
}
