/// Tokens that say nothing to the SDK, such as OAuth access tokens.
///
/// The user is known before the first token, so the store opens without a network.
package struct OpaqueTokens: Sendable {
    /// Who the tokens speak for.
    package let subject: String
    /// How long a token lives from when it came; `nil` when that is not known.
    package let lifetime: @Sendable (String) -> Duration?

    package init(subject: String, lifetime: @escaping @Sendable (String) -> Duration?) {
        self.subject = subject
        self.lifetime = lifetime
    }
}
