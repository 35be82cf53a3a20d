import HTTPTypes
import Hummingbird
@_spi(Inlay) import InlayWire

/// A middleware that refuses a request without exactly one valid host (RFC 9112, section 3.2): a proxy and this server
/// might take it for requests to different hosts.
struct HostCheck: RouterMiddleware {
    typealias Context = ServerContext

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        // NIO moves the first Host into the authority; a second one stays among the fields.
        guard let host = request.head.authority, HTTPAuthority(host) != nil,
            request.headers[.host] == nil
        else {
            throw Problem(
                .malformedRequest, status: 400, title: "The request must name one host.",
                detail: "Send exactly one Host header, with a host and perhaps a port.")
        }
        return try await next(request, context)
    }
}

extension HTTPField.Name {
    // A literal of a valid token, so the failable initializer cannot fail.
    static let host = HTTPField.Name("Host")!
}
