@_spi(Inlay) package import InlayWire

/// The verified user of an app's request; on a socket it stays the same until the socket closes.
package struct ClientIdentity: Hashable, Sendable {
    /// The environment that the API key belongs to.
    package let environmentID: EnvironmentID
    /// The API key that the token was verified with.
    package let apiKeyID: String
    /// The user, from the token.
    package let userID: UserID
    /// The host app's version as the app states it, at most 128 Unicode scalars; `unknown` when the app states none.
    package let clientVersion: String
    /// The time at which the token expires.
    package let expiresAt: Timestamp

    /// Creates an identity. Only ``ClientAuthentication`` and tests do so.
    package init(
        environmentID: EnvironmentID, apiKeyID: String, userID: UserID, clientVersion: String = "unknown",
        expiresAt: Timestamp
    ) {
        self.environmentID = environmentID
        self.apiKeyID = apiKeyID
        self.userID = userID
        self.clientVersion = clientVersion.prefix(scalars: 128)
        self.expiresAt = expiresAt
    }
}

/// The environment whose backend sent a request.
package struct BackendIdentity: Hashable, Sendable {
    /// The environment that the secret key belongs to.
    package let environmentID: EnvironmentID
    /// The secret key's id; not secret.
    package let secretKeyID: String
}
