import Hummingbird
import InlayWire

/// Refuses a body that says it is too large before a byte of it is read.
///
/// A body without a stated length is counted while it is read, by ``Hummingbird/Request/json(_:limit:)``.
struct BodyLimit: RouterMiddleware {
    typealias Context = ServerContext

    /// What a route takes unless its page says otherwise: 1 MiB.
    static let standard = 1 << 20

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        if let text = request.headers[.contentLength], let length = Int(text), length > Self.standard {
            throw Problem.bodyTooLarge(limit: Self.standard)
        }
        return try await next(request, context)
    }
}
