import Hummingbird
package import InlaySQL
@_spi(Inlay) import InlayWire
import ServiceLifecycle

/// Environments, keys, users and operators: their schema, the backend's routes for users, and the handling of
/// notifications that keys changed on another node.
package struct AccountsFeature: ServerFeature {
    let services: ServerServices

    package init(_ services: ServerServices) { self.services = services }

    package var migrations: [SQLMigration] { AccountsSchema.migrations }

    package var periodicTasks: [PeriodicTask] {
        [
            PeriodicTask("accounts.operator-sessions", every: .seconds(3_600)) {
                try await services.sessions.purgeExpired()
            }
        ]
    }

    package func addRoutes(to routes: ServerRoutes) {
        routes.backend.put("v1/users/{id}") { request, context in
            let id = UserID(try context.parameters.require("id").removingPercentEncoding ?? "")
            let profile = UserProfile(try await request.json([String: UserField].self))
            try await services.users.put(context.environmentID, id, profile)
            return Response(status: .noContent)
        }
        routes.backend.get("v1/users/{id}") { _, context in
            let id = UserID(try context.parameters.require("id").removingPercentEncoding ?? "")
            guard let user = try await services.users.user(context.environmentID, id) else {
                throw Problem.notFound("user")
            }
            return try Response.json(user.profile.values)
        }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                // Both end when the group is cancelled, at the server's shutdown.
                group.addTask { await followChanges() }
                group.addTask { for await _ in TimerSequence(every: .seconds(10)) { await writeSeen() } }
            }
        }
        await writeSeen()
    }

    /// Forgets keys that changed on another node; all of them when notifications may have been lost.
    private func followChanges() async {
        for await payload in services.database.notifications(EnvironmentStore.changeChannel) {
            services.environments.cache.forget(EnvironmentID(notification: payload))
        }
    }

    /// Writes the times at which this node saw users; after a failure they are written later.
    private func writeSeen() async {
        do {
            try await services.users.writeSeen()
        } catch {
            services.logger.warning(
                "The times users were seen were not written; tried again later",
                metadata: ["error": "\(error)"])
        }
    }
}
