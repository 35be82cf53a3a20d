package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A program that may act for an environment with access tokens of `/oauth/token`. Its secret and refresh token are
/// shown once and stored as hashes.
package struct OAuthClient: Hashable, Sendable, Identifiable {
    /// Sent as `client_id`; not secret.
    package let id: OAuthClientID
    package let environmentID: EnvironmentID
    /// The name for people, 1 to 128 characters.
    package let name: String
    package let createdAt: Timestamp
    /// The time at which the client last got an access token; `nil` before the first.
    package let usedAt: Timestamp?
    /// The time of the revocation; `nil` while the client is valid.
    package let revokedAt: Timestamp?

    package static func newID() -> OAuthClientID { OAuthClientID(Secret.id("oc_")) }
}

/// The credentials of a new client, which an operator copies into a program. They are shown only once.
package struct OAuthCredentials: Hashable, Sendable {
    /// Sent as `client_id`.
    package let clientID: OAuthClientID
    /// Sent as `client_secret`.
    package let clientSecret: String
    /// Sent as `refresh_token`; valid until the client is revoked.
    package let refreshToken: String
}

/// An access token and its lifetime, as sent to the client.
package struct OAuthGrant: Hashable, Sendable {
    /// The token, which is opaque to clients; only its hash is stored.
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
