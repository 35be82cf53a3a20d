import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The routes of accounts for apps: creation, proof, log-in and passwords. `AccountRoutes+Endings` has log-out and
/// deletion.
struct AccountRoutes: Sendable {
    let gate: ApplicationGate
    let accounts: AccountStore
    let tokens: AccountTokenStore
    let attempts: CallerLimiter
    let notifier: DeviceChangeNotifier
    let audit: AuditLog

    /// The maximum size of a request's body, in bytes.
    static let bodyLimit = 16 << 10

    func add(to routes: RouterGroup<ServerContext>) {
        routes.post("v1/devices/accounts") { try await create($0, $1) }
        routes.post("v1/devices/accounts/proof") { try await prove($0, $1) }
        routes.post("v1/devices/sessions") { try await logIn($0, $1) }
        routes.post("v1/devices/sessions/refresh") { try await refresh($0, $1) }
        addDeletion(to: routes)
        addSessions(to: routes)
        addPasswords(to: routes)
        routes.post("v1/devices/application-token") { try await applicationToken($0, $1) }
    }

    private func addPasswords(to routes: RouterGroup<ServerContext>) {
        routes.post("v1/devices/password/reset") { request, context in
            let caller = try await gate.caller(request, context)
            try attempts.spend(.requestedMails, from: caller.address)
            let id = try await accounts.startReset(try await body(request), for: caller.application)
            return try Response.json(AccountNext(request: id), status: .accepted)
        }
        routes.post("v1/devices/password") { try await setPassword($0, $1) }
        routes.post("v1/devices/password/change") { request, context in
            let account = try await gate.account(request, context)
            try attempts.spend(.endUserPasswords, from: account.address)
            try await accounts.changePassword(
                try await body(request), account.identity, for: account.application, from: account.address)
            try await tokens.ended(account.identity.environmentID, account.identity.accountID)
            return Response(status: .noContent)
        }
    }

    /// Adds the route with which an environment's backend looks up the user of an application token.
    func add(toBackend routes: RouterGroup<BackendContext>) {
        routes.post("v1/devices/application-token/holder") { request, context in
            let asked = try await request.json(ApplicationToken.self, limit: Self.bodyLimit)
            let holder = try await tokens.holder(ofApplicationToken: asked.token, context.environmentID)
            guard let holder else { throw Problem.notFound("application token") }
            return try Response.json(holder)
        }
    }

    private func create(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await gate.caller(request, context)
        try attempts.spend(.newAccounts, from: caller.address)
        switch try await accounts.create(try await body(request), for: caller.application) {
        case .opened(let opening): return try Response.json(opening, status: .created)
        case .next(let next): return try Response.json(next, status: .accepted)
        }
    }

    private func prove(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await gate.caller(request, context)
        try attempts.spend(.mailCodes, from: caller.address)
        let identity = try await gate.identity(request, caller.application)
        let proof: AccountProof = try await body(request)
        try attempts.spendMailCode(from: caller.address, about: proof.email, of: caller.application)
        let (opening, ended) = try await accounts.prove(
            proof, for: caller.application, by: identity, from: caller.address)
        for id in ended { try await tokens.ended(caller.application.environmentID, id) }
        try await notifier.notify(
            caller.application.environmentID, AccountID(opening.account.id))
        return try Response.json(opening)
    }

    private func logIn(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await gate.caller(request, context)
        try attempts.spend(.endUserPasswords, from: caller.address)
        return try Response.json(
            try await accounts.logIn(
                try await body(request), for: caller.application, from: caller.address))
    }

    private func refresh(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await gate.caller(request, context)
        try attempts.spend(.tokenRefreshes, from: caller.address)
        let asked: AccountRefresh = try await body(request)
        let environmentID = caller.application.environmentID
        let refreshed = try await tokens.refresh(
            asked.refreshToken, environmentID: environmentID, applicationID: caller.application.id)
        guard let refreshed, let account = try await accounts.account(environmentID, refreshed.accountID)
        else { throw Problem.accountSessionEnded }
        return try Response.json(AccountOpening(session: refreshed.session, account: account.wire))
    }

    private func setPassword(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await gate.caller(request, context)
        try attempts.spend(.mailCodes, from: caller.address)
        let asked: NewPassword = try await body(request)
        try attempts.spendMailCode(from: caller.address, about: asked.email, of: caller.application)
        let (account, ended) = try await accounts.setPassword(
            asked, for: caller.application, from: caller.address)
        for id in ended { try await tokens.ended(account.environmentID, id) }
        try await notifier.notify(account.environmentID, account.id)
        return Response(status: .noContent)
    }

    /// Returns a new application token. A revoked application with a valid secret gets 403 and not 401: the user is
    /// logged in, but the app gets no tokens any more.
    private func applicationToken(_ request: Request, _ context: ServerContext) async throws -> Response {
        let application = try await gate.application(request)
        guard application.revokedAt == nil else { throw Problem.applicationRefused(status: 403) }
        let account = try await gate.account(request, context)
        let token = try await tokens.applicationToken(account.identity)
        return try Response.json(ApplicationToken(token: token))
    }

    func body<Value: Decodable>(_ request: Request) async throws -> Value {
        try await request.json(limit: Self.bodyLimit)
    }
}
