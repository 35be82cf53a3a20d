@_spi(Inlay) public import InlayWire

/// The reason why there is no token to send.
public enum TokenError: Error, Hashable, Sendable {
    /// The app's provider returned `nil`.
    case none
    /// The provider did not answer within 5 s.
    case timedOut
    /// The last attempt failed, and the provider is not called again until this time of the device's clock.
    case waiting(until: Timestamp)
    /// The provider's token is no JWT with a user; the text names the missing part.
    case malformed(String)
    /// The provider returned an expired token.
    case expired
    /// The token is another user's. Log out, then make a new session.
    case otherUser
    /// The session was logged out.
    case loggedOut
}
