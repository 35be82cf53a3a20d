import Hummingbird
import InlaySQL
import InlayWire
import Logging
import ServiceLifecycle

/// What devices count, and the numbers made of it.
package struct AnalyticsFeature: ServerFeature {
    /// Takes events in and answers with numbers.
    package let store: AnalyticsStore
    private let logger: Logger

    init(_ services: ServerServices) {
        logger = services.logger
        store = AnalyticsStore(database: services.database, now: services.now)
    }

    package var migrations: [SQLMigration] { AnalyticsSchema.migrations }

    package func addRoutes(to routes: ServerRoutes) {
        routes.client.post("v1/analytics") { request, context in
            let identity = context.identity
            let batch = try await request.json(LenientBatch<AnalyticsEvent>.self)
            let receipt = try await batch.receipt {
                try await store.take(identity.environmentID, identity.userID, $0)
            }
            return try Response.json(receipt)
        }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in Ticks(every: .seconds(600)) { await fold() }
        }
    }

    private func fold() async {
        do {
            try await CardNumbers.fold(at: store.now(), in: store.database)
        } catch is CancellationError {
            // The server stops; another fold follows when it is back.
        } catch {
            logger.warning("Counters were not folded; tried again later", metadata: ["error": "\(error)"])
        }
    }
}
