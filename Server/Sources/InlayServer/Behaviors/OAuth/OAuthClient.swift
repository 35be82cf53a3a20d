import InlayWire

/// A program that may speak for an environment after `/oauth/token`. Its secret and refresh token are
/// shown once and kept as hashes.
package struct OAuthClient: Hashable, Sendable, Identifiable {
    /// Sent as `client_id`; not secret.
    package let id: String
    package let environmentID: String
    /// As people call it.
    package let name: String
    package let createdAt: Timestamp
    /// When it last got an access token; `nil` before the first.
    package let usedAt: Timestamp?
    /// When it stopped working; `nil` while it works.
    package let revokedAt: Timestamp?
}

/// What an operator copies into a program, once.
package struct OAuthCredentials: Hashable, Sendable {
    /// Sent as `client_id`.
    package let clientID: String
    /// Sent as `client_secret`.
    package let clientSecret: String
    /// Sent as `refresh_token`; never ends unless the client is revoked.
    package let refreshToken: String
}

/// An access token as its client gets it.
package struct OAuthGrant: Hashable, Sendable {
    /// Opaque; only its hash is kept.
    package let accessToken: String
    /// How long it lives.
    package let life: Duration
}

/// Whom an access token speaks for.
struct OAuthIdentity: Hashable, Sendable {
    let environmentID: String
    let clientID: String
    let expiresAt: Timestamp
}
