import InlayCore
import NIOHTTP1

extension TransportRequest {
    /// The caller's header fields without those that frame the message: they are the transport's, and
    /// a second one of them is how requests are smuggled.
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
    /// Fields by name; several of one name are joined as RFC 9110 has it.
    var joined: [String: String] {
        Dictionary(map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
    }
}
