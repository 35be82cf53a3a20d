public import Foundation

/// Hands a token to the SDK; `nil` when there is none. Calls after the first have no effect.
public typealias AACSessionAuthenticationTokenHandler = @Sendable (String?) -> Void

/// Supplies the SDK with tokens.
@MainActor public protocol AACSessionDelegate: AnyObject, Sendable {
    /// Called when the SDK needs a JSON Web Token; the handler must be called within 5 seconds.
    func cardSessionDidRequestAuthenticationToken(handler: @escaping AACSessionAuthenticationTokenHandler)
    /// A token whose life is shorter than this counts as expired; 60 seconds unless implemented, never
    /// below 0, read once.
    func expiryInterval() -> TimeInterval
    /// After a failure no token is asked for within this time; 0 seconds unless implemented, never below
    /// 0, read once.
    func retryInterval() -> TimeInterval
}

extension AACSessionDelegate {
    public func expiryInterval() -> TimeInterval { 60 }
    public func retryInterval() -> TimeInterval { 0 }
}
