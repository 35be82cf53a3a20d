import Hummingbird
@_spi(Inlay) import InlayWire

/// A middleware that turns every error of a route into a problem document, which ``Refusal`` chooses.
struct ProblemResponses: RouterMiddleware {
    typealias Context = ServerContext

    let allowed: AllowedMethods
    let unknown: UnknownAddresses

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            let response = try await next(request, context)
            // Hummingbird's own parts answer some errors without a body.
            guard response.status.code >= 400, response.headers[.contentType] == nil else { return response }
            return Problem.of(status: response.status.code).problemResponse(headers: response.headers)
        } catch let error as HTTPError where error.status == .notFound {
            return await unknownAddress(request, context)
        } catch {
            let refusal = Refusal(answering: error, context.logger)
            return refusal.problem.problemResponse(headers: refusal.headers)
        }
    }

    private func unknownAddress(_ request: Request, _ context: ServerContext) async -> Response {
        let methods = allowed.methods(at: request.uri.path)
        let problem = methods.isEmpty ? Problem.notFound : .methodNotAllowed
        var response =
            await unknown.response(to: request, context, problem) ?? problem.problemResponse()
        if !methods.isEmpty { response.headers[.allow] = methods.joined(separator: ", ") }
        return response
    }
}
