public import InlayCore

/// Why there is no access token. Holds nothing of the credentials.
public enum OAuthError: Error, Hashable, Sendable {
    /// The server said no; the code is its own, for example `invalid_client`.
    case refused(status: Int, code: String)
    /// No whole answer came.
    case network(TransportError)
    /// The answer has no access token.
    case unreadable
}
