import HTTPTypes
import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The authentication of the app and the account of a request to Devices.
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

    /// Returns the application of a request; throws 401 `application.refused`, or 429.
    func caller(_ request: Request, _ context: ServerContext) async throws -> Caller {
        let application = try await application(request)
        guard application.revokedAt == nil else { throw Problem.applicationRefused(status: 401) }
        return Caller(application: application, address: context.callerAddress)
    }

    /// Returns the account of a request, whose token must have been issued to this application.
    func account(_ request: Request, _ context: ServerContext) async throws -> Account {
        let caller = try await caller(request, context)
        guard let identity = try await identity(request, caller.application) else {
            throw Problem.accountSessionEnded
        }
        return Account(
            application: caller.application, identity: identity, address: context.callerAddress)
    }

    /// Returns the account of the request's token; `nil` without a valid token.
    func identity(_ request: Request, _ application: DeviceApplication) async throws -> AccountIdentity? {
        guard let token = ClientAuthentication.bearer(request.headers[.authorization]),
            let identity = try await tokens.identity(of: token),
            identity.environmentID == application.environmentID, identity.applicationID == application.id
        else { return nil }
        try limiter.spend(.user(environment: identity.environmentID, identity.userID.rawValue))
        return identity
    }

    /// Returns the application of a request with a valid secret; the application may be revoked.
    func application(_ request: Request) async throws -> DeviceApplication {
        guard let id = request.headers[.inlayApplication],
            let secret = request.headers[.inlayApplicationSecret], secret.utf8.count <= 256,
            let credentials = try await applications.credentials(of: ApplicationID(id))
        else { throw Problem.applicationRefused(status: 401) }
        let hash = Secret.hash(secret)
        // Compares all secrets, so that the time does not reveal which one was sent.
        let isRight = credentials.liveHashes.reduce(false) { Secret.equal($1, hash) || $0 }
        guard isRight else { throw Problem.applicationRefused(status: 401) }
        try limiter.spend(.key(environment: credentials.application.environmentID, id))
        return credentials.application
    }
}

extension HTTPField.Name {
    // The names are literals of valid tokens, so the failable initializer cannot fail.
    static let inlayApplication = HTTPField.Name(InlayHeader.application)!
    static let inlayApplicationSecret = HTTPField.Name(InlayHeader.applicationSecret)!
}
