import Hummingbird
import InlaySQL
import ServiceLifecycle

/// One room of the server: its tables, its routes and its long-lived work.
///
/// Features are listed in ``ServerFeatures`` and nowhere else.
package protocol ServerFeature: Sendable {
    /// The steps of its schema, oldest first; applied before the server listens.
    var migrations: [SQLMigration] { get }

    /// Adds its routes; called once, before the server listens.
    func addRoutes(to routes: ServerRoutes)

    /// Its work beside requests: returns when the server stops gracefully.
    ///
    /// An error that comes out of it stops the whole server, so a feature handles what it can mend.
    func run() async throws
}

extension ServerFeature {
    package var migrations: [SQLMigration] { [] }
    package func addRoutes(to routes: ServerRoutes) {}
    package func run() async throws { try await gracefulShutdown() }
}

/// A feature's work as a service of the server's group.
struct FeatureService: Service {
    let feature: any ServerFeature

    func run() async throws { try await feature.run() }
}
