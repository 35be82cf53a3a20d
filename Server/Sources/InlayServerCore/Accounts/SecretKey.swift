@_spi(Inlay) package import InlayWire

/// The key with which an environment's backend authenticates. The secret itself is shown once and never stored.
package struct SecretKey: Hashable, Sendable, Identifiable {
    /// The part of the secret that identifies the key; not secret.
    package let id: String
    package let environmentID: EnvironmentID
    /// The display name.
    package let name: String
    package let createdAt: Timestamp
    /// The time of revocation; `nil` while the key is valid.
    package let revokedAt: Timestamp?
}
