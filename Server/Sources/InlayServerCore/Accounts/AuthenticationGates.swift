package import HTTPTypes
import Hummingbird
@_spi(Inlay) import InlayWire

/// A middleware that admits only requests with a verified environment, API key and user token.
struct ClientGate: RouterMiddleware {
    typealias Context = ServerContext

    let authentication: ClientAuthentication
    let limiter: RateLimiter

    init(_ authentication: ClientAuthentication, _ limiter: RateLimiter) {
        self.authentication = authentication
        self.limiter = limiter
    }

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let identity = try await authentication.identity(.init(request.headers))
        try limiter.spend(identity)
        var context = context
        context.identity = identity
        return try await next(request, context)
    }
}

/// A middleware that admits only requests with a secret key of the environment that they name.
struct BackendGate: RouterMiddleware {
    typealias Context = ServerContext

    let environments: EnvironmentStore
    let limiter: RateLimiter

    init(_ environments: EnvironmentStore, _ limiter: RateLimiter) {
        self.environments = environments
        self.limiter = limiter
    }

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard let environmentID = request.headers[.inlayEnvironment],
            let secret = ClientAuthentication.bearer(request.headers[.authorization]),
            let backend = try await environments.backend(
                EnvironmentID(verified: environmentID), secret: secret)
        else { throw Problem.unknownSecretKey }
        try limiter.spend(.key(environment: backend.environmentID, backend.secretKeyID))
        var context = context
        context.backend = backend
        return try await next(request, context)
    }
}

extension ClientAuthentication.Credentials {
    package init(_ headers: HTTPFields) {
        self.init(
            environmentID: headers[.inlayEnvironment], apiKeyID: headers[.inlayApiKey],
            authorization: headers[.authorization], clientVersion: headers[.inlayClientVersion])
    }
}

extension RateLimiter {
    /// Counts a request against its API key and its user.
    package func spend(_ identity: ClientIdentity) throws {
        try spend(.key(environment: identity.environmentID, identity.apiKeyID))
        try spend(.user(environment: identity.environmentID, identity.userID.rawValue))
    }
}
