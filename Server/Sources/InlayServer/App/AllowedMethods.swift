import Hummingbird
import NIOConcurrencyHelpers

/// Which methods an address takes; tells 405 from 404.
///
/// Filled once after all routes have been added; asked only for requests that found no route.
final class AllowedMethods: Sendable {
    private struct Route { let segments: [Substring]; let method: String }
    private let routes = NIOLockedValueBox<[Route]>([])

    func learn(_ descriptions: [Router<ServerContext>.RouteDescription]) {
        let known = descriptions.map {
            Route(segments: $0.path.description.split(separator: "/"), method: $0.method.rawValue)
        }
        routes.withLockedValue { $0 = known }
    }

    /// Every route as `GET /v1/cards/counts`.
    var all: [String] {
        routes.withLockedValue { $0 }.map { "\($0.method) /\($0.segments.joined(separator: "/"))" }
    }

    func methods(at path: String) -> [String] {
        let segments = path.split(separator: "/")
        let matching = routes.withLockedValue { $0 }.filter { matches($0.segments, segments) }
        // The router answers HEAD wherever it answers GET, without listing it.
        return Set(matching.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] }).sorted()
    }

    private func matches(_ pattern: [Substring], _ path: [Substring]) -> Bool {
        if let rest = pattern.firstIndex(where: { $0.hasPrefix("**") }) {
            return path.count >= rest && zip(pattern.prefix(rest), path).allSatisfy(Self.covers)
        }
        return pattern.count == path.count && zip(pattern, path).allSatisfy(Self.covers)
    }

    private static func covers(_ pattern: Substring, _ segment: Substring) -> Bool {
        pattern == segment || pattern.hasPrefix("{") || pattern.hasPrefix(":") || pattern.hasPrefix("*")
    }
}
