import Hummingbird
import InlaySQL
import InlayWire
import Logging
import ServiceLifecycle

/// Behaviors on the server: event intake, OAuth, contact lists, segments and what the Workbench asks.
package struct BehaviorsFeature: ServerFeature {
    /// OAuth clients and their tokens.
    package let oauth: OAuthStore
    /// Takes events in.
    package let intake: EventIntake
    /// What was taken in: streams, counts, goals, funnels, campaigns.
    package let events: BehaviorStore
    /// How long events are kept.
    package let retention: BehaviorRetention
    /// Contact lists and relational tables.
    package let contacts: ContactStore
    /// Users by what is known of them and by what they did.
    package let segments: SegmentStore
    private let refusals: EventRefusals
    private let gate: BehaviorGate
    private let failures: OAuthFailures
    private let database: any SQLDatabase
    private let now: @Sendable () -> Timestamp
    private let logger: Logger

    init(_ services: ServerServices) {
        let (database, now) = (services.database, services.now)
        oauth = OAuthStore(database: database, now: now)
        refusals = EventRefusals(database: database)
        intake = EventIntake(database: database, refusals: refusals, now: now)
        events = BehaviorStore(database: database, now: now)
        retention = BehaviorRetention(database: database, now: now)
        contacts = ContactStore(database: database, now: now)
        segments = SegmentStore(database: database, now: now)
        gate = BehaviorGate(clients: services.clients, tokens: oauth, limiter: services.limiter)
        failures = OAuthFailures(now: now)
        self.database = database
        self.now = now
        logger = services.logger
    }

    package var migrations: [SQLMigration] { BehaviorsSchema.migrations }

    package func addRoutes(to routes: ServerRoutes) {
        let token = OAuthRoute(store: oauth, failures: failures)
        routes.root.post("oauth/token") { try await token.answer($0, $1) }
        let events = EventRoutes(gate: gate, intake: intake, refusals: refusals)
        routes.root.post("rest/events/submission") { request, _ in try await events.submit(request) }
        let contacts = XMLAPIRoute(gate: gate, database: database, now: now)
        routes.root.post("XMLAPI") { try await contacts.answer($0, $1) }
        routes.root.get("rest/events/errors") { request, _ in try await events.errors(request) }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await followChanges() }
                group.addTask { await tidy() }
            }
        }
    }

    /// Forgets access tokens whose client was revoked on another node.
    private func followChanges() async {
        for await environmentID in database.notifications(OAuthStore.changes) {
            oauth.cache.forget(environmentID.isEmpty ? nil : environmentID)
        }
    }

    /// Every ten minutes what has ended goes: access tokens, events that are old enough, remembered answers.
    private func tidy() async {
        for await _ in Ticks(every: .seconds(600)) {
            do {
                try await oauth.removeEnded()
                try await retention.prune()
                try await XMLAPIMemory.prune(database, at: now())
            } catch is CancellationError {
                // The server stops; what is left is done when it is back.
            } catch {
                logger.warning("Tidying failed; tried again later", metadata: ["error": "\(error)"])
            }
        }
    }
}
