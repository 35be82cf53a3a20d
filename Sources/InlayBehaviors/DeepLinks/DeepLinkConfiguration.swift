public import Foundation
@_spi(Inlay) import InlayWire

/// The routes of an app's deep links: the contents of a `MobileDeepLinkingConfig.json`.
public struct DeepLinkConfiguration: Hashable, Sendable {
    /// A route with its handlers and the rules of its parameters.
    struct Route: Hashable, Sendable {
        let pattern: String
        let handlers: [String]
        let parameters: [String: Parameter]
        /// The parts of the pattern. Stored, because every link is compared with them.
        let parts: [String]

        init(pattern: String, handlers: [String], parameters: [String: Parameter]) {
            (self.pattern, self.handlers, self.parameters) = (pattern, handlers, parameters)
            parts = pattern.split(separator: "/").map(String.init)
        }

        var literals: Int { parts.count { !$0.hasPrefix(":") } }
    }

    /// A parameter of a route.
    struct Parameter: Hashable, Sendable {
        var isRequired = false
        var regex: String?
    }

    /// Whether the handling of links is logged.
    public let isLogging: Bool
    /// The routes, in the order in which they are tried.
    let routes: [Route]
    /// The handlers of a link that fits no route; `nil` when there is no default route.
    let defaultHandlers: [String]?
    /// The entries that were left out as invalid, each with its position.
    public let problems: [String]

    /// Reads a configuration file.
    ///
    /// Routes are sorted by the number of their literal parts, the most first, then by their order in the file. Invalid
    /// entries are left out and listed in `problems`.
    ///
    /// - Throws: `DeepLinkError.unreadableConfiguration` when the file is no JSON object.
    public init(json: Data) throws(DeepLinkError) {
        let plain: Data
        let top: [String: JSONValue]
        do {
            // The order of the keys is read from the same bytes that are decoded.
            plain = try TextFile.utf8(json)
            top = try JSONDecoder().decode([String: JSONValue].self, from: plain)
        } catch {
            throw .unreadableConfiguration(String(describing: error))
        }
        isLogging = Self.flag(top["logging"])
        defaultHandlers = top["defaultRoute"].map { Self.handlers($0) }
        var (routes, problems) = ([Route](), [String]())
        guard case .object(let members)? = top["routes"] ?? .object([:]) else {
            throw .unreadableConfiguration("`routes` is no object")
        }
        let order = JSONKeyOrder.keys(of: "routes", in: plain)
        for pattern in members.keys.sorted(by: { (order[$0] ?? 0, $0) < (order[$1] ?? 0, $1) }) {
            guard let route = Self.route(pattern, members[pattern], &problems) else { continue }
            routes.append(route)
        }
        // The index keeps the file's order of routes with equally many literals without relying on a stable sort.
        self.routes = routes.enumerated().sorted {
            ($1.element.literals, $0.offset) < ($0.element.literals, $1.offset)
        }.map(\.element)
        self.problems = problems
    }

    private static func route(_ pattern: String, _ value: JSONValue?, _ problems: inout [String]) -> Route? {
        guard case .object? = value, let value else {
            problems.append("\(pattern): no object")
            return nil
        }
        var parameters: [String: Parameter] = [:]
        if case .object(let members)? = value["routeParameters"] {
            for (name, rule) in members {
                let regex = rule["regex"]?.string
                if let regex, (try? NSRegularExpression(pattern: regex)) == nil {
                    // Without the route, because an unchecked parameter would accept every value.
                    problems.append("\(pattern): \(name) has an invalid regex")
                    return nil
                }
                parameters[name] = Parameter(isRequired: flag(rule["required"]), regex: regex)
            }
        }
        return Route(pattern: pattern, handlers: handlers(value), parameters: parameters)
    }

    private static func handlers(_ value: JSONValue) -> [String] {
        guard case .array(let names)? = value["handlers"] else { return [] }
        return names.compactMap(\.string)
    }

    /// Reads a flag. The documented sample files have flags as texts, their specification as Booleans.
    private static func flag(_ value: JSONValue?) -> Bool {
        value == .bool(true) || value?.string?.lowercased() == "true"
    }
}

/// The reason why a link could not be handled.
public enum DeepLinkError: Error, Hashable, Sendable {
    /// The file is no valid configuration; the text is the reason.
    case unreadableConfiguration(String)
    /// The app set no configuration.
    case noConfiguration
    /// The text is no link, or longer than 8 KiB.
    case notALink
    /// The route names a handler that is not registered; the handlers before it ran.
    case unknownHandler(String)
    /// A handler of the app failed; the handlers before it ran.
    case handlerFailed(String, reason: String)
    /// No route matches, and there is no default route.
    case noRoute
}
