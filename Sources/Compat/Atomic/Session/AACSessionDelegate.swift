public import Foundation

/// The completion handler that passes a token to the SDK, or `nil` when there is none. Calls after the first have no
/// effect.
public typealias AACSessionAuthenticationTokenHandler = @Sendable (String?) -> Void

/// A delegate that supplies the SDK with tokens.
@MainActor public protocol AACSessionDelegate: AnyObject, Sendable {
    /// Called when the SDK needs a JSON Web Token. The delegate must call the handler within 5 seconds.
    func cardSessionDidRequestAuthenticationToken(handler: @escaping AACSessionAuthenticationTokenHandler)
    /// Returns the remaining lifetime, in seconds, below which a token counts as expired; 60 by default. Negative
    /// values become 0. Called once for each session.
    func expiryInterval() -> TimeInterval
    /// Returns the minimum time, in seconds, between a failure and the next request for a token; 0 by default. Negative
    /// values become 0. Called once for each session.
    func retryInterval() -> TimeInterval
}

extension AACSessionDelegate {
    public func expiryInterval() -> TimeInterval { 60 }
    public func retryInterval() -> TimeInterval { 0 }
}
