import InlayWire

/// Who an app's request speaks for: verified, and the same for a socket's whole life.
package struct ClientIdentity: Hashable, Sendable {
    /// The environment that the API key belongs to.
    package let environmentID: String
    /// The API key that the token was verified with.
    package let apiKeyID: String
    /// The user, from the token.
    package let userID: String
    /// The host app's version as it says; `unknown` when it says nothing. At most 128 characters.
    package let clientVersion: String
    /// When the token ends.
    package let expiresAt: Timestamp

    /// An identity; made by ``ClientAuthentication``, and by tests.
    package init(
        environmentID: String, apiKeyID: String, userID: String, clientVersion: String = "unknown",
        expiresAt: Timestamp
    ) {
        self.environmentID = environmentID
        self.apiKeyID = apiKeyID
        self.userID = userID
        self.clientVersion = String(clientVersion.prefix(128))
        self.expiresAt = expiresAt
    }
}

/// Which environment's backend a request came from.
package struct BackendIdentity: Hashable, Sendable {
    /// The environment that the secret key belongs to.
    package let environmentID: String
    /// The secret key's id; not secret.
    package let secretKeyID: String
}
