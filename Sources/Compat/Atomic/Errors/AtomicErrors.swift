import Foundation

/// The domain of errors of `AACSession.onCardAction`.
public let AACSessionCardActionsErrorDomain = "AACSessionCardActionsErrorDomain"
/// The domain of errors of `AACSession.userMetrics`.
public let AACSessionUserMetricsErrorDomain = "AACSessionUserMetricsErrorDomain"
/// The domain of errors of `AACSession.logout`.
public let AACSessionLogoutErrorDomain = "AACSessionLogoutErrorDomain"

/// The reason why a card action failed.
public enum AACSessionCardActionsError {
    /// The error's code in `AACSessionCardActionsErrorDomain`.
    public enum Code: Int, Sendable {
        /// The server could not be reached. The action is stored, and sent when the server can be reached.
        case networkError
        /// The action is not valid, or the server refused it.
        case dataError
    }
}

/// The reason why user metrics could not be fetched.
public enum AACSessionUserMetricsError {
    /// The error's code in `AACSessionUserMetricsErrorDomain`.
    public enum Code: Int, Sendable {
        /// The platform could not be reached.
        case networkError
        /// The server refused the request, or its response could not be read.
        case dataError
    }
}

/// The reason why pending analytics could not be sent at log-out. The user's data are deleted in any case.
public enum AACSessionLogoutError {
    /// The error's code in `AACSessionLogoutErrorDomain`.
    public enum Code: Int, Sendable {
        /// The platform could not be reached.
        case networkError
        /// The server refused the analytics, or its response could not be read.
        case dataError
    }
}

/// The documented name of `AACSessionCardActionsError.Code`.
public typealias AACSessionCardActionsErrorCode = AACSessionCardActionsError.Code
/// The documented name of `AACSessionUserMetricsError.Code`.
public typealias AACSessionUserMetricsErrorCode = AACSessionUserMetricsError.Code
/// The documented name of `AACSessionLogoutError.Code`.
public typealias AACSessionLogoutErrorCode = AACSessionLogoutError.Code

/// A factory of the documented errors: a domain, a code, and the cause under `NSUnderlyingErrorKey`.
enum AtomicError {
    static func make(_ domain: String, _ code: Int, _ cause: any Error) -> NSError {
        NSError(
            domain: domain, code: code,
            userInfo: [
                NSUnderlyingErrorKey: cause as NSError,
                NSLocalizedDescriptionKey: String(describing: cause),
            ])
    }
}
