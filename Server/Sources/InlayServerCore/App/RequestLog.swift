import Foundation
import Hummingbird
@_spi(Inlay) import InlayWire
import Logging
import Metrics

/// A middleware that logs and measures each request.
///
/// The line names the route's template, not the path: a path or query may hold a user's id or a secret.
struct RequestLog: RouterMiddleware {
    typealias Context = ServerContext

    static let descriptions: [MetricDescription] = [
        .init("inlay_http_requests_total", "Requests answered."),
        .init("inlay_http_request_duration_seconds", "The time from a request's head to its response."),
    ]

    /// The level of lines for requests that succeeded or were refused; the server's own errors have the level `error`.
    let level: Logger.Level
    let metrics: any MetricsFactory

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let elapsed = ContinuousClock.now - start
        let route = context.endpointPath ?? "(none)"
        measure(request.method, route, response.status.code, elapsed)
        context.logger.log(
            level: lineLevel(response.status.code), "Request",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(route)",
                "status": "\(response.status.code)",
                "ms": "\(Double(elapsed.microseconds) / 1000)", "from": "\(context.callerAddress)",
            ])
        return response
    }

    private func lineLevel(_ status: Int) -> Logger.Level {
        status >= 500 ? .error : level
    }

    private func measure(_ method: HTTPRequest.Method, _ route: String, _ status: Int, _ elapsed: Duration) {
        // A caller may invent methods; each would be a time series for ever.
        let known: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]
        let dimensions = [
            ("method", known.contains(method) ? method.rawValue : "other"), ("route", route),
            ("status", String(status)),
        ]
        Counter(label: "inlay_http_requests_total", dimensions: dimensions, factory: metrics).increment()
        Timer(label: "inlay_http_request_duration_seconds", dimensions: [("route", route)], factory: metrics)
            .recordNanoseconds(elapsed.microseconds * 1000)
    }
}
