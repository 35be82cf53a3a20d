@_spi(Inlay) package import InlayWire

/// The key that an app sends to name itself, with the rules for its users' tokens.
package struct ApiKey: Hashable, Sendable, Identifiable {
    /// Sent by apps in `Inlay-Api-Key`; not secret.
    package let id: String
    package let environmentID: EnvironmentID
    /// The display name.
    package let name: String
    /// The rules by which tokens are verified.
    package let rules: TokenRules
    package let createdAt: Timestamp
    /// The time of revocation; `nil` while the key is valid.
    package let revokedAt: Timestamp?
}

/// The requirements for a user's token.
package struct TokenRules: Hashable, Sendable {
    /// The default of ``maximumLife``: seven days.
    package static let defaultMaximumLife: Duration = .seconds(7 * 24 * 3600)

    /// A public key as PEM, or a JWKS document as JSON.
    package var publicKey: String
    /// The accepted algorithms. An algorithm that does not fit the key is never accepted.
    package var algorithms: Set<TokenAlgorithm>
    /// The required `iss`; any when `nil`.
    package var issuer: String?
    /// The value that `aud` must equal or contain; any when `nil`.
    package var audience: String?
    /// The claim with the user's id. Default `sub`.
    package var userClaim: String
    /// The maximum lifetime of a token. Default 7 days; from one minute to 366 days.
    package var maximumLife: Duration

    /// Creates rules with the defaults.
    package init(
        publicKey: String, algorithms: Set<TokenAlgorithm> = Set(TokenAlgorithm.allCases),
        issuer: String? = nil,
        audience: String? = nil, userClaim: String = "sub", maximumLife: Duration = Self.defaultMaximumLife
    ) {
        self.publicKey = publicKey
        self.algorithms = algorithms
        self.issuer = issuer
        self.audience = audience
        self.userClaim = userClaim
        self.maximumLife = maximumLife
    }
}

/// The supported signature algorithms of tokens: no symmetric algorithm, and never `none`.
package enum TokenAlgorithm: String, Hashable, Sendable, CaseIterable {
    case es256 = "ES256"
    case rs256 = "RS256"
    case eddsa = "EdDSA"
}
