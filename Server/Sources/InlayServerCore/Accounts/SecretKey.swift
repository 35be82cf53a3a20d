@_spi(Inlay) package import InlayWire

/// The key that an environment's backend signs in with. The secret itself is shown once and never kept.
package struct SecretKey: Hashable, Sendable, Identifiable {
    /// The part of the secret that names it; not secret.
    package let id: String
    package let environmentID: EnvironmentID
    /// As people call it.
    package let name: String
    package let createdAt: Timestamp
    /// The time of its revocation; `nil` while it works.
    package let revokedAt: Timestamp?
}
