import HTTPTypes
import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Authenticates the app and the account that a request to Devices comes from.
struct ApplicationGate: Sendable {
    /// A request of an application, before a user has logged in.
    struct Caller: Sendable {
        let application: DeviceApplication
        /// The caller's address, for limits.
        let address: CallerAddress
    }

    /// A request of an account in an application.
    struct Account: Sendable {
        let application: DeviceApplication
        let identity: AccountIdentity
        let address: CallerAddress
    }

    let applications: ApplicationStore
    let tokens: AccountTokenStore
    let limiter: RateLimiter

    /// The application of a request; throws 401 `application.refused`, or 429.
    func caller(_ request: Request, _ context: ServerContext) async throws -> Caller {
        let application = try await application(request)
        guard application.revokedAt == nil else { throw Problem.applicationRefused(status: 401) }
        return Caller(application: application, address: context.callerAddress)
    }

    /// The account of a request; its token must have been given to this application.
    func account(_ request: Request, _ context: ServerContext) async throws -> Account {
        let caller = try await caller(request, context)
        guard let identity = try await identity(request, caller.application) else {
            throw Problem.accountSessionEnded
        }
        return Account(
            application: caller.application, identity: identity, address: context.callerAddress)
    }

    /// The account of the request's token; `nil` without a valid one.
    func identity(_ request: Request, _ application: DeviceApplication) async throws -> AccountIdentity? {
        guard let token = ClientAuthentication.bearer(request.headers[.authorization]),
            let identity = try await tokens.identity(of: token),
            identity.environmentID == application.environmentID, identity.applicationID == application.id
        else { return nil }
        try limiter.spend(.user(environment: identity.environmentID, identity.userID.rawValue))
        return identity
    }

    /// The application that a right secret belongs to, though it may be revoked.
    func application(_ request: Request) async throws -> DeviceApplication {
        guard let id = request.headers[.inlayApplication],
            let secret = request.headers[.inlayApplicationSecret], secret.utf8.count <= 256,
            let known = try await applications.known(ApplicationID(id))
        else { throw Problem.applicationRefused(status: 401) }
        let hash = Secret.hash(secret)
        // Both are compared, so that the time does not reveal which of them is in use.
        let isRight = known.liveHashes.reduce(false) { Secret.equal($1, hash) || $0 }
        guard isRight else { throw Problem.applicationRefused(status: 401) }
        try limiter.spend(.key(environment: known.application.environmentID, id))
        return known.application
    }
}

extension HTTPField.Name {
    // The names are literals of valid tokens, so the failable initializer cannot fail.
    static let inlayApplication = HTTPField.Name(InlayHeader.application)!
    static let inlayApplicationSecret = HTTPField.Name(InlayHeader.applicationSecret)!
}
