import Foundation

/// The route that a link takes, and what it took from the link.
struct DeepLinkMatch: Hashable, Sendable {
    /// The route's pattern; `nil` for the default route.
    var route: String?
    var handlers: [String]
    var parameters: [String: String]
}

extension DeepLinkConfiguration {
    /// The longest value that a regex is tried on.
    private static let maximumValueLength = 512

    /// The route of a link: the first that fits the link, or the link without its last part, and so on.
    func match(_ link: DeepLink) -> DeepLinkMatch? {
        var next: DeepLink? = link
        while let candidate = next {
            for route in routes {
                if let parameters = route.parameters(of: candidate) {
                    return DeepLinkMatch(
                        route: route.pattern, handlers: route.handlers, parameters: parameters)
                }
            }
            next = candidate.shortened
        }
        return defaultHandlers.map { DeepLinkMatch(route: nil, handlers: $0, parameters: [:]) }
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
    /// The parameters that the route takes from a link; `nil` when the link does not match.
    func parameters(of link: DeepLink) -> [String: String]? {
        guard var found = path(of: link) else { return nil }
        for (name, value) in link.pairs where parameters[name] != nil { found[name] = value }
        for (name, value) in found {
            if let regex = parameters[name]?.regex, !DeepLinkConfiguration.fits(value, regex) { return nil }
        }
        // Each value of a repeated name must fit, not only the one that counts.
        for (name, value) in link.pairs {
            if let regex = parameters[name]?.regex, !DeepLinkConfiguration.fits(value, regex) { return nil }
        }
        let isComplete = parameters.allSatisfy { !$0.value.isRequired || found[$0.key] != nil }
        return isComplete ? found : nil
    }

    private func path(of link: DeepLink) -> [String: String]? {
        var mine = parts[...]
        if !pattern.hasPrefix("/") {
            guard mine.popFirst() == link.host else { return nil }
        }
        let theirs = link.parts
        guard mine.count == theirs.count else { return nil }
        var found: [String: String] = [:]
        for (pattern, part) in zip(mine, theirs) where pattern != part {
            guard pattern.hasPrefix(":") else { return nil }
            found[String(pattern.dropFirst())] = part
        }
        return found
    }
}
