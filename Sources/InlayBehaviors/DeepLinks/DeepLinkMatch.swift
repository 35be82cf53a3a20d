import Foundation

/// The route of a link, with the parameters that it read from the link.
struct DeepLinkMatch: Hashable, Sendable {
    /// The route's pattern; `nil` for the default route.
    var route: String?
    var handlers: [String]
    /// The named parameters of the path, without those that the query replaces.
    var path: [String: String] = [:]
    /// The parameters of the query that the route declares; a repeated name has its last value.
    var query: [String: String] = [:]

    /// The parameters of the handlers.
    var parameters: [String: String] { path.merging(query) { $1 } }
}

extension DeepLinkConfiguration {
    /// The maximum length of a value that is checked with a regex, in UTF-16 units; a longer value does not match.
    private static let maximumValueLength = 512

    /// Returns the first route that matches the link, else the link without its last part, and so on; without any, the
    /// default route.
    func match(_ link: DeepLink) -> DeepLinkMatch? {
        var next: DeepLink? = link
        while let candidate = next {
            for route in routes {
                if let match = route.match(candidate) { return match }
            }
            next = candidate.shortened
        }
        return defaultHandlers.map { DeepLinkMatch(handlers: $0) }
    }

    fileprivate static func fits(_ value: String, _ regex: String) -> Bool {
        guard value.utf16.count <= maximumValueLength,
            let expression = try? NSRegularExpression(pattern: regex)
        else { return false }
        return expression.numberOfMatches(in: value, range: NSRange(location: 0, length: value.utf16.count))
            == 1
    }
}

extension DeepLinkConfiguration.Route {
    /// Returns the match of a link with the route; `nil` when they do not match.
    func match(_ link: DeepLink) -> DeepLinkMatch? {
        guard var path = self.path(of: link) else { return nil }
        var query: [String: String] = [:]
        // Every value of a repeated name must match, not only the last one, which is used.
        for (name, value) in link.pairs where parameters[name] != nil {
            guard fits(name, value) else { return nil }
            query[name] = value
            path[name] = nil
        }
        guard path.allSatisfy({ fits($0.key, $0.value) }) else { return nil }
        let isComplete = parameters.allSatisfy { name, parameter in
            !parameter.isRequired || path[name] != nil || query[name] != nil
        }
        return isComplete ? DeepLinkMatch(route: pattern, handlers: handlers, path: path, query: query) : nil
    }

    private func fits(_ name: String, _ value: String) -> Bool {
        parameters[name]?.regex.map { DeepLinkConfiguration.fits(value, $0) } ?? true
    }

    private func path(of link: DeepLink) -> [String: String]? {
        var patternParts = parts[...]
        if !pattern.hasPrefix("/") {
            guard patternParts.popFirst() == link.host else { return nil }
        }
        let linkParts = link.parts
        guard patternParts.count == linkParts.count else { return nil }
        var found: [String: String] = [:]
        for (pattern, part) in zip(patternParts, linkParts) where pattern != part {
            guard pattern.hasPrefix(":") else { return nil }
            found[String(pattern.dropFirst())] = part
        }
        return found
    }
}
