import Hummingbird
import NIOConcurrencyHelpers

/// The methods that each path accepts, to distinguish 405 from 404.
///
/// Filled once after all routes have been added; asked only for requests that found no route.
package final class AllowedMethods: Sendable {
    private struct Route { let pattern: RoutePattern; let method: String }
    private let routes = NIOLockedValueBox<[Route]>([])

    package init() {}

    func register(_ descriptions: [Router<ServerContext>.RouteDescription]) {
        let known = descriptions.map {
            Route(pattern: RoutePattern($0.path.description), method: $0.method.rawValue)
        }
        routes.withLockedValue { $0 = known }
    }

    /// Every route as `GET /v1/cards/counts`.
    var all: [String] {
        routes.withLockedValue { $0 }.map { "\($0.method) /\($0.pattern.segments.joined(separator: "/"))" }
    }

    func methods(at path: String) -> [String] {
        let segments = path.split(separator: "/")
        let matching = routes.withLockedValue { $0 }.filter { $0.pattern.matches(segments) }
        // The router answers HEAD wherever it answers GET, without listing it.
        return Set(matching.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] }).sorted()
    }
}
