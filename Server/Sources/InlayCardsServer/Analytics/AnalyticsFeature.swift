import Hummingbird
package import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging
import ServiceLifecycle

/// The analytics events of devices, and the counts that are made from them.
package struct AnalyticsFeature: ServerFeature {
    /// The store of events and counts.
    package let store: AnalyticsStore

    /// Creates the feature and its store.
    package init(_ services: ServerServices) {
        store = AnalyticsStore(database: services.database, now: services.now)
    }

    package var migrations: [SQLMigration] { AnalyticsSchema.migrations }

    package var periodicTasks: [PeriodicTask] {
        [
            PeriodicTask("analytics.counters", every: .seconds(600)) {
                try await CardCounters.fold(at: store.now(), in: store.database)
            }
        ]
    }

    package func addRoutes(to routes: ServerRoutes) {
        routes.client.post("v1/analytics") { request, context in
            let identity = context.identity
            let batch = try await request.json(LenientBatch<AnalyticsEvent>.self)
            let receipt = try await batch.receipt {
                try await store.ingest(identity.environmentID, identity.userID, $0)
            }
            return try Response.json(receipt)
        }
    }
}
