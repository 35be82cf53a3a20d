package import HTTPTypes
import Hummingbird
@_spi(Inlay) import InlayWire

/// A middleware that adds to every response the server's time, and headers that keep a browser from guessing types,
/// framing pages or telling other sites where it came from.
///
/// It is the outermost middleware, so errors have these headers too. A page may set its own policy first.
struct ResponseHeaders: RouterMiddleware {
    typealias Context = ServerContext

    let now: @Sendable () -> Timestamp
    /// Whether the server is reached by https. Browsers must then use nothing else for a year (HSTS).
    let isSecure: Bool

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.inlayServerTime] = String(now().microseconds)
        for (name, value) in Self.standard where response.headers[name] == nil {
            response.headers[name] = value
        }
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        return response
    }

    private static let standard: [(HTTPField.Name, String)] = [
        (.xContentTypeOptions, "nosniff"),
        (.referrerPolicy, "no-referrer"),
        (.xFrameOptions, "SAMEORIGIN"),
        (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'self'"),
    ]
}

extension HTTPField.Name {
    // The names are literals of valid tokens, so the failable initializer cannot fail.
    package static let inlayServerTime = HTTPField.Name(InlayHeader.serverTime)!
    package static let inlayEnvironment = HTTPField.Name(InlayHeader.environment)!
    package static let inlayApiKey = HTTPField.Name(InlayHeader.apiKey)!
    package static let inlayClientVersion = HTTPField.Name(InlayHeader.clientVersion)!
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    package static let xFrameOptions = HTTPField.Name("X-Frame-Options")!
}
