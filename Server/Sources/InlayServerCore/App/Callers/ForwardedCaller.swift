import HTTPTypes
import Hummingbird
import Logging
import NIOConcurrencyHelpers

/// A middleware that takes the caller's address from the header of a trusted proxy.
///
/// Only the last entry of the one header that the proxy writes counts: what is before it, and every other header, came
/// from the caller and proves nothing. If the entry is no address, the proxy's own address stays.
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

    /// Warns once, since every request through a misconfigured proxy would add a line.
    private func warn(_ header: ProxyHeader, _ line: String, _ logger: Logger) {
        let wasWarned = hasWarned.withLockedValue { hasWarned in
            defer { hasWarned = true }
            return hasWarned
        }
        guard !wasWarned else { return }
        logger.warning(
            "The proxy names no address of the caller; requests count for the proxy",
            metadata: [
                "header": "\(header.rawValue)",
                "value": "\(String(line.unicodeScalars.suffix(64)).debugDescription)",
            ])
    }
}
