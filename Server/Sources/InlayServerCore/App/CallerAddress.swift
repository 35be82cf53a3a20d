import HTTPTypes
import Hummingbird

/// Works out whose request it is when a proxy stands between.
///
/// Only the last entry of `X-Forwarded-For` was written by our own proxy; what is before it came from
/// the caller and proves nothing.
struct CallerAddress: RouterMiddleware {
    typealias Context = ServerContext

    let trustsProxy: Bool

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard trustsProxy, let last = request.headers[.xForwardedFor]?.split(separator: ",").last else {
            return try await next(request, context)
        }
        var context = context
        context.callerAddress = String(last.drop { $0 == " " }.prefix(64))
        return try await next(request, context)
    }
}
