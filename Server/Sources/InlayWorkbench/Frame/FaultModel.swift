import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging

/// The text of an error page: what happened and what to do.
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

    /// An error as a problem. Any other error is logged in full and shown without its text, which may hold
    /// SQL, paths or other people's values.
    static func problem(for error: any Error, _ logger: Logger) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let refusal as Refusal: return refusal.problem
        case let errors as FieldErrors: return errors.problem
        case let error as SQLError where error.kind == .invalidValue:
            return Problem(
                .invalidValue, status: 422, title: "A text contains a character that cannot be stored.")
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
