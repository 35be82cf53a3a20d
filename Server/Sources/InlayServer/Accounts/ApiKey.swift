import InlayWire

/// What an app sends to name itself, and how its users' tokens are verified.
package struct ApiKey: Hashable, Sendable, Identifiable {
    /// Sent by apps in `Inlay-Api-Key`; not secret.
    package let id: String
    package let environmentID: String
    /// As people call it.
    package let name: String
    /// How tokens are verified.
    package let rules: TokenRules
    package let createdAt: Timestamp
    /// When it stopped working; `nil` while it works.
    package let revokedAt: Timestamp?
}

/// What a user's token must be like.
package struct TokenRules: Hashable, Sendable {
    /// Seven days.
    package static let standardLife: Duration = .seconds(7 * 24 * 3600)

    /// A public key as PEM, or a JWKS document as JSON.
    package var publicKey: String
    /// The algorithms that are accepted; one that the key cannot do never is.
    package var algorithms: Set<TokenAlgorithm>
    /// What `iss` must be; any when `nil`.
    package var issuer: String?
    /// What `aud` must be or hold; any when `nil`.
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
