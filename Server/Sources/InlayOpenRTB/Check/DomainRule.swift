/// A domain of an allowlist or blocklist, which covers itself and its subdomains.
package struct DomainRule {
    private let domain: String

    package init(_ domain: String) { self.domain = Self.normalized(domain) }

    /// Returns whether a domain equals the rule's domain or is a subdomain of it.
    package func covers(_ other: String) -> Bool {
        let other = Self.normalized(other)
        return !domain.isEmpty && (other == domain || other.hasSuffix("." + domain))
    }

    private static func normalized(_ domain: String) -> String {
        var text = domain.lowercased()
        if text.hasPrefix("www.") { text.removeFirst(4) }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}
