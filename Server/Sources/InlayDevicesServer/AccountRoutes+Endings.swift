import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The routes with which apps list and end sessions, and delete accounts.
extension AccountRoutes {
    func addSessions(to routes: RouterGroup<ServerContext>) {
        routes.get("v1/devices/sessions") { request, context in
            let account = try await gate.account(request, context)
            return try Response.json(
                AccountSessionList(sessions: try await tokens.sessions(account.identity)))
        }
        routes.delete("v1/devices/sessions") { request, context in
            let account = try await gate.account(request, context)
            try await tokens.end(account.identity)
            return Response(status: .noContent)
        }
        routes.delete("v1/devices/sessions/all") { request, context in
            let account = try await gate.account(request, context)
            try await tokens.endAll(account.identity.environmentID, account: account.identity.accountID)
            return Response(status: .noContent)
        }
        routes.delete("v1/devices/sessions/:id") { try await endOne($0, $1) }
        routes.post("v1/devices/sessions/end") { try await endByHash($0, $1) }
    }

    func addDeletion(to routes: RouterGroup<ServerContext>) {
        routes.post("v1/devices/accounts/deletion/code") { request, context in
            let account = try await gate.account(request, context)
            try attempts.spend(.requestedMails, from: account.address)
            try await accounts.startDeletion(account.identity, for: account.application)
            return Response(status: .accepted)
        }
        routes.post("v1/devices/accounts/deletion") { try await delete($0, $1) }
    }

    private func endOne(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try await gate.account(request, context)
        let id = try context.parameters.require("id")
        guard id.utf8.count <= 64, !id.utf8.contains(0) else { throw Problem.notFound("session") }
        try await tokens.end(account.identity, session: SessionID(id))
        return Response(status: .noContent)
    }

    /// Ends a session without an access token, because an app that logs out late may have no valid one. The response is
    /// the same for every hash.
    private func endByHash(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await gate.caller(request, context)
        try attempts.spend(.tokenRefreshes, from: caller.address)
        let asked: AccountSessionEnd = try await body(request)
        try await tokens.end(
            refreshTokenHash: asked.refreshTokenHash, environmentID: caller.application.environmentID,
            applicationID: caller.application.id)
        return Response(status: .noContent)
    }

    private func delete(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try await gate.account(request, context), identity = account.identity
        try attempts.spend(.endUserPasswords, from: account.address)
        let asked: AccountDeletion = try await body(request)
        // Each mail with a code gives the session five more tries, so only the network's count limits them.
        if asked.code != nil,
            let known = try await accounts.account(identity.environmentID, identity.accountID)
        {
            try attempts.spendMailCode(from: account.address, about: known.email, of: account.application)
        }
        try await accounts.delete(asked, identity, for: account.application, from: account.address)
        try await tokens.ended(identity.environmentID, identity.accountID)
        // Without the mail address, which was deleted with the account.
        try await audit.record(
            "deleted own account", subject: identity.accountID.rawValue, by: "its user",
            environmentID: identity.environmentID)
        return Response(status: .noContent)
    }
}
