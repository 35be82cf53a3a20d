package import Foundation

/// The URL under which a server is reached: `http` or `https`, a host, and perhaps a port and a path.
///
/// Other URLs are made by adding a path to it, so it has no query, no fragment, no slash at its end and no user
/// information.
public struct BaseURL: Hashable, Sendable, LosslessStringConvertible {
    /// The URL with scheme and host in lower case, without a slash at its end.
    public let description: String
    /// Whether the scheme is `https`.
    public let isSecure: Bool
    /// The host and the port.
    package let authority: HTTPAuthority
    /// The URL as a value of Foundation's.
    package let url: URL

    /// Parses a URL, without the blanks around it; `nil` for a text that is no URL, for another scheme, for a host or
    /// port that cannot be reached, and for parts that a base URL cannot have.
    public init?(_ description: String) {
        let text = description.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let slashes = text.range(of: "://") else { return nil }
        let scheme = text[..<slashes.lowerBound].lowercased(), rest = text[slashes.upperBound...]
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        guard scheme == "http" || scheme == "https", let authority = HTTPAuthority(String(rest[..<end])),
            authority.port != 0, let path = Self.path(rest[end...]),
            let url = URL(string: "\(scheme)://\(authority)\(path)")
        else { return nil }
        self.description = "\(scheme)://\(authority)\(path)"
        isSecure = scheme == "https"
        self.authority = authority
        self.url = url
    }

    /// Returns a path without slashes at its end; `nil` when it has characters that a path cannot have (RFC 3986,
    /// section 3.3).
    private static func path(_ text: Substring) -> String? {
        let isPath = text.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "/-._~!$&'()*+,;=:@%".contains($0))
        }
        var path = String(text)
        guard isPath, path.removingPercentEncoding != nil else { return nil }
        while path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
