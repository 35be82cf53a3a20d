package import Hummingbird
import InlaySQL
@_spi(Inlay) package import InlayWire
package import Logging

/// A problem whose answer needs headers of its own.
package struct Refusal: Error {
    /// The problem that is returned to the caller.
    package let problem: Problem
    /// The headers that show the caller how to continue, for example `Retry-After`.
    package let headers: HTTPFields

    /// The seconds to wait for a fault that only an operator can repair.
    private static let repairSeconds = 60

    /// Creates a refusal.
    package init(_ problem: Problem, headers: HTTPFields = [:]) {
        self.problem = problem
        self.headers = headers
    }

    /// The answer to any error, for callers of the API and for pages of the Workbench.
    ///
    /// An error that is not a ``Problem`` is logged in full and answered without its text, which may hold SQL, paths or
    /// other people's values. Each 503 says when to try again.
    package init(answering error: any Error, _ logger: Logger) {
        switch error {
        case let refusal as Refusal: self = refusal
        case let problem as Problem:
            self.init(problem, headers: problem.status == 503 ? Self.retry(after: Self.repairSeconds) : [:])
        case let errors as FieldErrors: self.init(errors.problem)
        case let error as SQLError: self = Self.answer(to: error, logger)
        case let error as any HTTPResponseError: self.init(.of(status: error.status.code))
        case let error where ClientDisconnection.caused(error): self.init(.bodyIncomplete)
        case is CancellationError: self.init(.unavailable, headers: Self.retry(after: 1))
        default:
            logger.error("Request failed", metadata: ["error": "\(String(reflecting: error))"])
            self.init(.serverError)
        }
    }

    private static func answer(to error: SQLError, _ logger: Logger) -> Refusal {
        if error.kind == .invalidValue {
            let detail = "It holds a character that cannot be stored, such as NUL."
            return Refusal(
                Problem(.invalidValue, status: 422, title: "A text cannot be stored.", detail: detail))
        }
        guard let seconds = error.retrySeconds else {
            logger.error("Database error", metadata: ["error": "\(error)"])
            return Refusal(.serverError)
        }
        // A fault that only an operator can repair has the longest wait.
        let level: Logger.Level = seconds >= repairSeconds ? .critical : .warning
        logger.log(level: level, "The database cannot be used", metadata: ["error": "\(error)"])
        return Refusal(.unavailable, headers: retry(after: seconds))
    }

    private static func retry(after seconds: Int) -> HTTPFields { [.retryAfter: "\(seconds)"] }
}
