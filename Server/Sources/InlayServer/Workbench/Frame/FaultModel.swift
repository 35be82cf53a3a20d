import InlaySQL
import InlayWire
import Logging

/// What an error page says: what happened and what to do.
struct FaultModel {
    let faultTitle: String
    let faultDetail: String?
    let isSignedOut: Bool
    let canRetry: Bool

    init(_ problem: Problem) {
        faultTitle = problem.title
        faultDetail = problem.detail
        isSignedOut = problem.status == 401
        canRetry = problem.status >= 500
    }

    /// An error as a problem. What is not one is logged in full and told without its words: they may hold
    /// SQL, paths or other people's values.
    static func problem(for error: any Error, _ logger: Logger) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let refusal as Refusal: return refusal.problem
        case let errors as FieldErrors: return errors.problem
        case let error as SQLError where error.kind == .invalidValue:
            return Problem(
                .invalidValue, status: 422, title: "A text holds a character that cannot be stored.")
        case let error where ClientDisconnection.caused(error): return .bodyIncomplete
        case let error as SQLError where error.retrySeconds != nil:
            logger.warning("The database cannot be used", metadata: ["error": "\(error)"])
            return .unavailable
        case is CancellationError: return .unavailable
        default:
            logger.error(
                "A page of the Workbench failed", metadata: ["error": "\(String(reflecting: error))"])
            return .serverError
        }
    }
}
