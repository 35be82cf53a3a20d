import InlayWire

/// What an environment's backend signs in with. The secret itself is shown once and never kept.
package struct SecretKey: Hashable, Sendable, Identifiable {
    /// The part of the secret that names it; not secret.
    package let id: String
    package let environmentID: String
    /// As people call it.
    package let name: String
    package let createdAt: Timestamp
    /// When it stopped working; `nil` while it works.
    package let revokedAt: Timestamp?
}
