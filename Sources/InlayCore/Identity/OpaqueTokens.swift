/// The settings for tokens that the SDK does not parse, such as OAuth access tokens.
///
/// The user is known before the first token, so the store opens without a network.
package struct OpaqueTokens: Sendable {
    /// The user of the tokens.
    package let subject: String
    /// The lifetime of a token from its arrival on; `nil` when it is unknown.
    package let lifetime: @Sendable (String) -> Duration?
    /// Whether requests omit the environment's id and the API key, for servers that only know OAuth.
    package let standAlone: Bool

    package init(
        subject: String, standAlone: Bool = true, lifetime: @escaping @Sendable (String) -> Duration?
    ) {
        self.subject = subject
        self.standAlone = standAlone
        self.lifetime = lifetime
    }
}
