@_spi(Inlay) package import InlayWire

extension Problem {
    static let unknownKey = Problem(
        .unknownKey, status: 401, title: "The environment or API key is missing or unknown.",
        detail: "Send Inlay-Environment and Inlay-Api-Key as the Workbench shows them; they belong together.")
    static let unknownSecretKey = Problem(
        .unknownKey, status: 401, title: "The environment or secret key is missing or unknown.",
        detail: "Send Inlay-Environment, and the secret key as a bearer token.")
    package static let tokenMissing = Problem(
        .tokenMissing, status: 401, title: "The request has no token.",
        detail: "Send the user's JWT as Authorization: Bearer.")
    static let tokenWrongKey = Problem(
        .tokenWrongKey, status: 401, title: "The token was not signed with a key of this API key.",
        detail: "Compare the public key in the Workbench with the private key that signs, and the kid.")
    static let tokenExpired = Problem(
        .tokenExpired, status: 401, title: "The token has expired.", detail: "Get a new one for the user.")
    static let tokenNeverExpires = Problem(
        .tokenExpired, status: 401, title: "The token has no expiry.",
        detail: "Add the claim exp, a number of seconds.")
    static let tokenNotYetValid = Problem(
        .tokenNotYetValid, status: 401, title: "The token is not valid yet.",
        detail: "Its nbf or iat lies ahead of this server's clock; compare the clocks.")

    static func tokenMalformed(_ detail: String) -> Problem {
        Problem(.tokenMalformed, status: 401, title: "The token is not a well-formed JWT.", detail: detail)
    }

    static func tokenUnreadableMoment(_ claim: String) -> Problem {
        tokenMalformed("Its \(claim) is not a number of seconds.")
    }

    static func tokenWrongAlgorithm(_ accepted: Set<TokenAlgorithm>) -> Problem {
        Problem(
            .tokenWrongAlgorithm, status: 401, title: "The token's algorithm is not accepted.",
            detail: "Accepted: \(accepted.map(\.rawValue).sorted().joined(separator: ", ")).")
    }

    static func tokenTooLongLived(_ maximum: Duration) -> Problem {
        Problem(
            .tokenExpired, status: 401, title: "The token's lifetime is too long.",
            detail: "From iat to exp at most \(maximum.components.seconds) seconds.")
    }

    static func tokenWrongAudience(_ claim: String) -> Problem {
        Problem(
            .tokenWrongAudience, status: 401, title: "The token is meant for someone else.",
            detail: "Its \(claim) is not what this API key expects.")
    }

    static func tokenNoUser(_ claim: String) -> Problem {
        Problem(
            .tokenNoUser, status: 401, title: "The token names no user.",
            detail: "The claim \(claim) must be \(IDRule.inTokens).")
    }

    /// An account's access or refresh token that is unknown, ended, or was used before.
    package static let accountSessionEnded = Problem(
        .accountSessionEnded, status: 401, title: "The session has ended.", detail: "Log in again.")
}
