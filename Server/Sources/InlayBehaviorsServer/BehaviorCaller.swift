import InlayServerCore
@_spi(Inlay) import InlayWire

/// The sender of events or contact requests: a program with an OAuth token, or an app for its user.
struct BehaviorCaller: Hashable, Sendable {
    /// The environment, from the token; never from path or body.
    let environmentID: EnvironmentID
    /// The app's user, verified; `nil` for an OAuth client, which speaks for the whole environment.
    let userID: UserID?
    /// The OAuth client; `nil` for an app.
    var clientID: OAuthClientID?

    /// The sender's id, unique within its environment.
    var senderID: String { userID.map { "user:\($0)" } ?? "client:\(clientID?.rawValue ?? "")" }
}

/// The authentication of the callers of `/rest/events` and `/XMLAPI`.
///
/// A caller sends an access token of `/oauth/token` or, as for `/v1`, an app's JWT with its two headers. The
/// prefix of access tokens tells the two apart, so neither is ever tried as the other.
struct BehaviorAuthentication: Sendable {
    let clients: ClientAuthentication
    let tokens: OAuthStore
    let limiter: RateLimiter

    /// Returns the caller; throws a ``Problem`` with status 401, or 429 over the rate limit.
    func caller(_ credentials: ClientAuthentication.Credentials) async throws -> BehaviorCaller {
        guard let token = ClientAuthentication.bearer(credentials.authorization) else {
            throw Problem.tokenMissing
        }
        guard token.hasPrefix(OAuthStore.prefix) else {
            let identity = try await clients.identity(credentials)
            try limiter.spend(identity)
            return BehaviorCaller(environmentID: identity.environmentID, userID: identity.userID)
        }
        guard let identity = try await tokens.identity(of: token) else { throw Problem.accessTokenInvalid }
        try limiter.spend(.key(environment: identity.environmentID, identity.clientID.rawValue))
        return BehaviorCaller(environmentID: identity.environmentID, userID: nil, clientID: identity.clientID)
    }
}

extension Problem {
    /// The response to an unknown, expired or revoked OAuth access token; it does not tell which of them.
    static let accessTokenInvalid = Problem(
        .tokenExpired, status: 401, title: "The access token is unknown or has ended.",
        detail: "Get a new one from /oauth/token.")
}
