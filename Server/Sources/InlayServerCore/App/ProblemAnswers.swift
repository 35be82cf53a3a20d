package import Hummingbird
import InlaySQL
@_spi(Inlay) package import InlayWire
import Logging

/// Turns every error into a problem document, in this one place.
///
/// An error that is not a ``Problem`` is logged in full and answered without its text, which may hold
/// SQL, paths or other people's values.
struct ProblemAnswers: RouterMiddleware {
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
        } catch let problem as Problem {
            return problem.problemResponse()
        } catch let error as Refusal {
            return error.problem.problemResponse(headers: error.headers)
        } catch let error as HTTPError where error.status == .notFound {
            return await unknownAddress(request, context)
        } catch let error as SQLError {
            return answer(to: error, context.logger)
        } catch let error as any HTTPResponseError {
            return Problem.of(status: error.status.code).problemResponse()
        } catch let error where ClientDisconnection.caused(error) {
            return Problem.bodyIncomplete.problemResponse()
        } catch is CancellationError {
            return Problem.unavailable.problemResponse(headers: [.retryAfter: "1"])
        } catch {
            context.logger.error("Request failed", metadata: ["error": "\(String(reflecting: error))"])
            return Problem.serverError.problemResponse()
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

    private func answer(to error: SQLError, _ logger: Logger) -> Response {
        if error.kind == .invalidValue {
            let detail = "It holds a character that cannot be stored, such as NUL."
            return Problem(.invalidValue, status: 422, title: "A text cannot be stored.", detail: detail)
                .problemResponse()
        }
        guard let seconds = error.retrySeconds else {
            logger.error("Database error", metadata: ["error": "\(error)"])
            return Problem.serverError.problemResponse()
        }
        // A fault that only an operator can repair has the longest wait.
        let level: Logger.Level = seconds >= 60 ? .critical : .warning
        logger.log(level: level, "The database cannot be used", metadata: ["error": "\(error)"])
        return Problem.unavailable.problemResponse(headers: [.retryAfter: "\(seconds)"])
    }
}

/// A problem whose answer needs headers of its own.
package struct Refusal: Error {
    /// The problem that is returned to the caller.
    package let problem: Problem
    /// The headers that tell the caller how to continue, for example `Retry-After`.
    package let headers: HTTPFields

    /// A refusal with its headers.
    package init(_ problem: Problem, headers: HTTPFields) {
        self.problem = problem
        self.headers = headers
    }
}
