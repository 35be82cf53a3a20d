package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A program that may speak for an environment after `/oauth/token`. Its secret and refresh token are
/// shown once and kept as hashes.
package struct OAuthClient: Hashable, Sendable, Identifiable {
    /// Sent as `client_id`; not secret.
    package let id: OAuthClientID
    package let environmentID: EnvironmentID
    /// As people call it.
    package let name: String
    package let createdAt: Timestamp
    /// The time at which it last got an access token; `nil` before the first.
    package let usedAt: Timestamp?
    /// The time of its revocation; `nil` while it works.
    package let revokedAt: Timestamp?

    package static func newID() -> OAuthClientID { OAuthClientID(Secret.id("oc_")) }
}

/// The credentials that an operator copies into a program, once.
package struct OAuthCredentials: Hashable, Sendable {
    /// Sent as `client_id`.
    package let clientID: OAuthClientID
    /// Sent as `client_secret`.
    package let clientSecret: String
    /// Sent as `refresh_token`; never ends unless the client is revoked.
    package let refreshToken: String
}

/// An access token as its client gets it.
package struct OAuthGrant: Hashable, Sendable {
    /// Opaque; only its hash is kept.
    package let accessToken: String
    /// The lifetime of the token.
    package let life: Duration
}

/// The client that an access token belongs to.
struct OAuthIdentity: Hashable, Sendable {
    let environmentID: EnvironmentID
    let clientID: OAuthClientID
    let expiresAt: Timestamp
}

/// The id of an ``OAuthClient``; unique in all environments.
package struct OAuthClientID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}
