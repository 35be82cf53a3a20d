package import Hummingbird
@_spi(Inlay) import InlayWire

/// A middleware that refuses a body by its stated length when it is too large, before a byte of it is read.
///
/// A body without a stated length is counted while it is read, by ``Hummingbird/Request/json(_:limit:)``.
package struct BodyLimit: RouterMiddleware {
    package typealias Context = ServerContext

    /// Addresses that take larger bodies than others.
    package struct Larger: Sendable {
        let path: RoutePattern
        let bytes: Int

        /// The addresses of a pattern such as `v1/hub/:source/files/**`, and the largest body that they take, in bytes.
        package init(_ path: String, bytes: Int) {
            self.path = RoutePattern(path)
            self.bytes = bytes
        }
    }

    /// The limit of a route unless its feature sets another: 1 MiB.
    package static let standard = 1 << 20

    private let larger: [Larger]

    /// Creates the limit; of the addresses in `larger`, the first that matches counts.
    package init(larger: [Larger]) { self.larger = larger }

    package func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        if let text = request.headers[.contentLength], let length = Int(text), length > Self.standard {
            let limit = limit(at: request.uri.path)
            guard length <= limit else { throw Problem.bodyTooLarge(limit: limit) }
        }
        return try await next(request, context)
    }

    /// Returns the largest body that an address takes, in bytes.
    func limit(at path: String) -> Int {
        let segments = path.split(separator: "/", omittingEmptySubsequences: true)
        return larger.first { $0.path.matches(segments) }?.bytes ?? Self.standard
    }
}
