import HTTPTypes
import Hummingbird
import Logging
import NIOConcurrencyHelpers

/// Sets the caller's address to the one that a trusted proxy added to the request.
///
/// Only the last entry of the one header that the proxy writes counts: what is before it, and every other header, came
/// from the caller and proves nothing. An entry that is no address leaves the proxy's own.
struct ForwardedCaller: RouterMiddleware {
    typealias Context = ServerContext

    /// The header that the proxy writes; `nil` without a trusted proxy.
    let header: ProxyHeader?
    private let hasWarned = NIOLockedValueBox(false)

    init(header: ProxyHeader?) { self.header = header }

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        // Several lines of a field are one list (RFC 9110, section 5.3): its last entry is in the last line.
        guard let header, let line = request.headers.last(where: { $0.name == header.field })?.value else {
            return try await next(request, context)
        }
        var context = context
        if let caller = header.caller(in: line) {
            context.callerAddress = caller
        } else {
            warn(header, line, context.logger)
        }
        return try await next(request, context)
    }

    /// Warns once: every request of a misconfigured proxy would be a line.
    private func warn(_ header: ProxyHeader, _ line: String, _ logger: Logger) {
        let wasWarned = hasWarned.withLockedValue { hasWarned in
            defer { hasWarned = true }
            return hasWarned
        }
        guard !wasWarned else { return }
        logger.warning(
            "The proxy names no address of the caller; requests count for the proxy",
            metadata: [
                "header": "\(header.rawValue)", "value": "\(String(line.suffix(64)).debugDescription)",
            ])
    }
}
