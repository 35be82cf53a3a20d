@_spi(Inlay) package import InlayWire

/// The key that an app sends to name itself, with the rules for its users' tokens.
package struct ApiKey: Hashable, Sendable, Identifiable {
    /// Sent by apps in `Inlay-Api-Key`; not secret.
    package let id: String
    package let environmentID: EnvironmentID
    /// As people call it.
    package let name: String
    /// The rules by which tokens are verified.
    package let rules: TokenRules
    package let createdAt: Timestamp
    /// The time of its revocation; `nil` while it works.
    package let revokedAt: Timestamp?
}

/// The requirements for a user's token.
package struct TokenRules: Hashable, Sendable {
    /// Seven days.
    package static let standardLife: Duration = .seconds(7 * 24 * 3600)

    /// A public key as PEM, or a JWKS document as JSON.
    package var publicKey: String
    /// The algorithms that are accepted; one that the key cannot do never is.
    package var algorithms: Set<TokenAlgorithm>
    /// The required `iss`; any when `nil`.
    package var issuer: String?
    /// The value that `aud` must equal or contain; any when `nil`.
    package var audience: String?
    /// The claim with the user's id. Default `sub`.
    package var userClaim: String
    /// The longest life of a token. Default 7 days; from one minute to a year.
    package var maximumLife: Duration

    /// Rules with the defaults.
    package init(
        publicKey: String, algorithms: Set<TokenAlgorithm> = Set(TokenAlgorithm.allCases),
        issuer: String? = nil,
        audience: String? = nil, userClaim: String = "sub", maximumLife: Duration = Self.standardLife
    ) {
        self.publicKey = publicKey
        self.algorithms = algorithms
        self.issuer = issuer
        self.audience = audience
        self.userClaim = userClaim
        self.maximumLife = maximumLife
    }
}

/// The signatures that are accepted. No symmetric one is among them, and never `none`.
package enum TokenAlgorithm: String, Hashable, Sendable, CaseIterable {
    case es256 = "ES256"
    case rs256 = "RS256"
    case eddsa = "EdDSA"
}
