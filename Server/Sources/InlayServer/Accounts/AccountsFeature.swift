import Hummingbird
import InlaySQL
import InlayWire
import ServiceLifecycle

/// Environments, keys, users and operators: their schema, the backend's routes for users, and the news
/// that keys changed on another node.
package struct AccountsFeature: ServerFeature {
    let services: ServerServices

    init(_ services: ServerServices) { self.services = services }

    package var migrations: [SQLMigration] { AccountsSchema.migrations }

    package func addRoutes(to routes: ServerRoutes) {
        routes.backend.put("v1/users/{id}") { request, context in
            let id = try context.parameters.require("id").removingPercentEncoding ?? ""
            let profile = UserProfile(try await request.json([String: UserField].self))
            try await services.users.put(context.environmentID, id, profile)
            return Response(status: .noContent)
        }
        routes.backend.get("v1/users/{id}") { _, context in
            let id = try context.parameters.require("id").removingPercentEncoding ?? ""
            guard let user = try await services.users.user(context.environmentID, id) else {
                throw Problem.notFound("user")
            }
            return try Response.json(user.profile.values)
        }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await followChanges() }
                group.addTask { await tidy() }
            }
        }
        await writeSeen()
    }

    /// Forgets keys that changed on another node; all of them when news may have been lost.
    private func followChanges() async {
        for await environmentID in services.database.notifications(EnvironmentStore.changes) {
            services.environments.cache.forget(environmentID.isEmpty ? nil : environmentID)
        }
    }

    /// Every ten seconds the times users were seen, every hour the sign-ins that ended.
    private func tidy() async {
        var rounds = 0
        for await _ in Ticks(every: .seconds(10)) {
            await writeSeen()
            if rounds % 360 == 0 { await attempt { try await services.sessions.removeEnded() } }
            rounds += 1
        }
    }

    private func writeSeen() async {
        await attempt { try await services.users.writeSeen() }
    }

    /// Tidying is never worth the server's end: what failed is logged and tried again later.
    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            services.logger.warning("Tidying failed; tried again later", metadata: ["error": "\(error)"])
        }
    }
}
