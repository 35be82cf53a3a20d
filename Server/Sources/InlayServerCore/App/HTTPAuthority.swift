/// A host with an optional port, as `Host` fields (RFC 9110, section 7.2) and URLs (RFC 3986, section 3.2) have it.
///
/// A name is one of DNS in ASCII; `_` is allowed, because containers have such names. RFC 3986 allows more, such as
/// commas and percent signs, which no resolver takes and which proxies and servers read in different ways.
///
/// The hosts of outgoing requests are read by ``AddressGuard`` with Foundation, as the HTTP client reads them: a host
/// that was checked has to be the one that is called.
package struct HTTPAuthority: Hashable, Sendable, CustomStringConvertible {
    /// A name or an IPv4 address in lower case, or an IPv6 address in brackets.
    package let host: String
    /// The port, 0 to 65535; `nil` when there is none.
    package let port: Int?

    package var description: String { port.map { "\(host):\($0)" } ?? host }

    /// Parses `host`, `host:port` or either with an IPv6 address in brackets; `nil` for every other text, such as one
    /// with user information, blanks or two hosts.
    package init?(_ text: String) {
        // All in ASCII from here on, where characters are bytes.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        // The colons in brackets belong to the address.
        let bracket = text.lastIndex(of: "]") ?? text.startIndex
        let end = text[bracket...].firstIndex(of: ":") ?? text.endIndex
        let host = text[..<end], digits = text[end...].dropFirst()
        guard Self.isHost(host), digits.utf8.count <= 5, digits.utf8.allSatisfy(Self.isDigit),
            Int(digits) ?? 0 <= Int(UInt16.max)
        else { return nil }
        self.host = host.lowercased()
        port = Int(digits)
    }

    private static func isHost(_ text: Substring) -> Bool {
        if text.hasPrefix("[") {
            // A zone means something to one machine alone, and clients leave it out (RFC 6874, section 3).
            return text.hasSuffix("]") && text.contains(":") && !text.contains("%")
                && CallerAddress(text.dropFirst().dropLast()) != nil
        }
        var labels = text.split(separator: ".", omittingEmptySubsequences: false)
        // A name may end with a dot, which stands for the root of DNS.
        if labels.count > 1, labels.last == "" { labels.removeLast() }
        guard text.utf8.count <= 254, let last = labels.last, labels.allSatisfy(isLabel) else { return false }
        // A name that ends in a number is an IPv4 address or an error (WHATWG URL, "ends in a number").
        return !last.utf8.allSatisfy(isDigit) || CallerAddress(text) != nil
    }

    private static func isLabel(_ text: Substring) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
