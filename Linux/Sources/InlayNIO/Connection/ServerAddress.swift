import Foundation
import InlayCore
import NIOCore

/// The server of a request, read once from its URL.
struct ServerAddress: Hashable, Sendable {
    /// A name or an IP address; an IPv6 address without brackets.
    let host: String
    let port: Int
    /// Whether TLS is spoken: `https` and `wss`.
    let isSecure: Bool
    /// Path and query as the request line has them.
    let target: String

    /// - Throws: `unsupported` for other schemes, for an address without host and for one with a user
    ///   name, which would put a secret into logs.
    init(_ url: URL) throws(TransportError) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw .unsupported("an address that is no URL")
        }
        switch parts.scheme?.lowercased() {
        case "http", "ws": isSecure = false
        case "https", "wss": isSecure = true
        case let scheme: throw .unsupported("addresses of scheme \(scheme ?? "none")")
        }
        guard let host = parts.percentEncodedHost, !host.isEmpty else {
            throw .unsupported("an address without host")
        }
        guard parts.user == nil, parts.password == nil else {
            throw .unsupported("a user name in an address")
        }
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? (isSecure ? 443 : 80)
        guard (1...65535).contains(port) else { throw .unsupported("port \(port)") }
        let path = parts.percentEncodedPath
        target = (path.isEmpty ? "/" : path) + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    }

    /// Whether the host is an IP address; certificates name those apart, and SNI must not carry them.
    var isIPAddress: Bool { (try? SocketAddress(ipAddress: host, port: port)) != nil }

    /// Host and, unless it is the scheme's own, port: the `Host` field.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// The address over http or https, also when it was given as a socket's.
    var httpAddress: String { "\(isSecure ? "https" : "http")://\(authority)\(target)" }
}
