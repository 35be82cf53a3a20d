/// Tokens that say nothing to the SDK, such as OAuth access tokens.
///
/// The user is known before the first token, so the store opens without a network.
package struct OpaqueTokens: Sendable {
    /// Who the tokens speak for.
    package let subject: String
    /// How long a token lives from when it came; `nil` when that is not known.
    package let lifetime: @Sendable (String) -> Duration?
    /// Whether requests carry nothing else that says where they belong, as servers want it that know
    /// OAuth only; otherwise they name environment and key like any request.
    package let standAlone: Bool

    package init(
        subject: String, standAlone: Bool = true, lifetime: @escaping @Sendable (String) -> Duration?
    ) {
        self.subject = subject
        self.standAlone = standAlone
        self.lifetime = lifetime
    }
}
