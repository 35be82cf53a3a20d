import Hummingbird
package import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging
import ServiceLifecycle

/// Behaviors on the server: event intake, OAuth, contact lists, segments and their Workbench pages.
package struct BehaviorsFeature: ServerFeature {
    /// OAuth clients and their tokens.
    package let oauth: OAuthStore
    /// The intake of events.
    package let intake: EventIntake
    /// The queries of stored events: streams, counts, goals, funnels, campaigns.
    package let events: BehaviorStore
    /// The retention of events.
    package let retention: BehaviorRetention
    /// Contact lists and relational tables.
    package let contacts: ContactStore
    /// The segments of users.
    package let segments: SegmentStore
    private let refusals: EventRefusals
    private let authentication: BehaviorAuthentication
    private let attempts: CallerLimiter
    let services: ServerServices

    /// The segment conditions of Behaviors: those on events and on contacts.
    package static let audienceConditions: [any AudienceCondition] = [EventCondition(), ContactCondition()]

    /// Creates the feature with its stores. `conditions` collects the conditions of all features for segments.
    package init(_ services: ServerServices, conditions: AudienceConditions) {
        let (database, now) = (services.database, services.now)
        oauth = OAuthStore(database: database, now: now)
        refusals = EventRefusals(database: database)
        intake = EventIntake(database: database, refusals: refusals, now: now)
        events = BehaviorStore(database: database, now: now)
        retention = BehaviorRetention(database: database, now: now)
        contacts = ContactStore(database: database, now: now)
        segments = SegmentStore(database: database, now: now, conditions: conditions)
        authentication = BehaviorAuthentication(
            clients: services.clients, tokens: oauth, limiter: services.limiter)
        attempts = CallerLimiter(now: now)
        self.services = services
    }

    package var migrations: [SQLMigration] { BehaviorsSchema.migrations }

    package var periodicTasks: [PeriodicTask] {
        [
            PeriodicTask("behaviors.access-tokens", every: .seconds(600)) { try await oauth.purgeExpired() },
            PeriodicTask("behaviors.retention", every: .seconds(600)) { try await retention.prune() },
            PeriodicTask("behaviors.stored-answers", every: .seconds(600)) {
                try await XMLAPIResponseStore.prune(services.database, at: services.now())
            },
        ]
    }

    package var audienceConditions: [any AudienceCondition] { Self.audienceConditions }

    package var largerBodies: [BodyLimit.Larger] {
        [
            .init(
                "workbench/e/:environment/behaviors/lists/:list/import",
                bytes: ContactStore.maximumImportBytes)
        ]
    }

    package func addRoutes(to routes: ServerRoutes) {
        let token = OAuthRoute(store: oauth, attempts: attempts)
        routes.root.post("oauth/token") { try await token.respond($0, $1) }
        let events = EventRoutes(authentication: authentication, intake: intake, refusals: refusals)
        routes.root.post("rest/events/submission") { request, _ in try await events.submit(request) }
        let contacts = XMLAPIRoute(
            authentication: authentication, database: services.database, now: services.now)
        routes.root.post("XMLAPI") { try await contacts.respond($0, $1) }
        routes.root.get("rest/events/errors") { request, _ in try await events.errors(request) }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { await followChanges() }
        // The notifications end when the database closes; this service runs until the server is stopped.
        try await gracefulShutdown()
    }

    /// Removes an environment's access tokens from the cache when another node has revoked one of its clients.
    private func followChanges() async {
        for await payload in services.database.notifications(OAuthStore.changeChannel) {
            oauth.cache.forget(EnvironmentID(notification: payload))
        }
    }
}
