@_spi(Inlay) public import InlayWire

/// The reason why there is no token to send.
public enum TokenError: Error, Hashable, Sendable {
    /// The app's provider had none.
    case none
    /// The provider did not answer within 5 s.
    case timedOut
    /// The last try failed, and the provider is left alone until this moment of the device's clock.
    case waiting(until: Timestamp)
    /// The provider's token is no JWT with a user; the text names the missing part.
    case malformed(String)
    /// The provider gave a token that has ended.
    case expired
    /// The token is another user's. Log out, then make a new session.
    case otherUser
    /// The session was logged out.
    case loggedOut
}
