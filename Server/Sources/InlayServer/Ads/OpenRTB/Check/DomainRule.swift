/// A domain of a list: it covers itself and all below it.
struct DomainRule {
    private let domain: String

    init(_ domain: String) { self.domain = Self.plain(domain) }

    func covers(_ other: String) -> Bool {
        let other = Self.plain(other)
        return !domain.isEmpty && (other == domain || other.hasSuffix("." + domain))
    }

    private static func plain(_ domain: String) -> String {
        var text = domain.lowercased()
        if text.hasPrefix("www.") { text.removeFirst(4) }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}
