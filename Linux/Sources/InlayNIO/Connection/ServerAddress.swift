import Foundation
import InlayCore
import NIOCore

/// The server of a request, read once from its URL.
struct ServerAddress: Hashable, Sendable {
    /// A domain name or an IP address; an IPv6 address has no brackets.
    let host: String
    let port: Int
    /// Whether the connection uses TLS: for `https` and `wss`.
    let isSecure: Bool
    /// The path and query in the form of a request line.
    let target: String

    /// - Throws: `unsupported` for other schemes, for an address without a host, for an invalid port, and for an
    ///   address with a user name or password, which would put a secret into logs.
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

    /// Whether the host is an IP address. Certificates list IP addresses separately, and SNI must not contain them.
    var isIPAddress: Bool { (try? SocketAddress(ipAddress: host, port: port)) != nil }

    /// The value of the `Host` field: the host, and the port unless it is the scheme's default.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// The address with the scheme http or https, also for a WebSocket's address.
    var httpAddress: String { "\(isSecure ? "https" : "http")://\(authority)\(target)" }
}
