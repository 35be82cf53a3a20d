import Hummingbird
import InlaySQL
import InlayWire

/// What devices count, and the numbers made of it.
package struct AnalyticsFeature: ServerFeature {
    /// Takes events in and answers with numbers.
    package let store: AnalyticsStore

    init(_ services: ServerServices) {
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
}
