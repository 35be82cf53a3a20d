import Hummingbird
package import InlaySQL
import ServiceLifecycle

/// One feature of the server: its tables, its routes, its keys and its long-lived work.
///
/// A feature that stores data of users also conforms to ``UserErasure``, and one with pages in the Workbench to
/// `WorkbenchSection`. Features are listed in `ServerFeatures` and nowhere else.
package protocol ServerFeature: Sendable {
    /// The steps of its schema, oldest first; applied before the server listens.
    var migrations: [SQLMigration] { get }

    /// Its routes that take larger bodies than ``BodyLimit/standard``.
    var largerBodies: [BodyLimit.Larger] { get }

    /// Its stores of private keys.
    var sealedKeys: [any SealedKeyStore] { get }

    /// The handlers of the jobs that it enqueues, one for each kind.
    var jobs: [any JobHandler] { get }

    /// Its periodic tasks.
    var periodicTasks: [PeriodicTask] { get }

    /// The conditions on users that it contributes to segments.
    var audienceConditions: [any AudienceCondition] { get }

    /// The metrics that it records with ``ServerServices/metrics``.
    var metrics: [MetricDescription] { get }

    /// Adds its routes; called once, before the server listens.
    func addRoutes(to routes: ServerRoutes)

    /// Makes what a new environment needs, for example a first container, in the transaction that makes it. An error
    /// undoes the whole.
    func prepare(environment id: EnvironmentID, in connection: any SQLConnection) throws

    /// Runs the feature's work beside requests and jobs; returns when the server stops gracefully.
    ///
    /// An error that it throws stops the whole server, so a feature handles what it can repair.
    func run() async throws
}

extension ServerFeature {
    package var migrations: [SQLMigration] { [] }
    package var largerBodies: [BodyLimit.Larger] { [] }
    package var sealedKeys: [any SealedKeyStore] { [] }
    package var jobs: [any JobHandler] { [] }
    package var periodicTasks: [PeriodicTask] { [] }
    package var audienceConditions: [any AudienceCondition] { [] }
    package var metrics: [MetricDescription] { [] }
    package func addRoutes(to routes: ServerRoutes) {}
    package func prepare(environment id: EnvironmentID, in connection: any SQLConnection) throws {}
    package func run() async throws { try await gracefulShutdown() }
}

/// A feature's work as a service of the server's group.
package struct FeatureService: Service {
    private let feature: any ServerFeature

    /// Creates the service of a feature.
    package init(feature: any ServerFeature) { self.feature = feature }

    package func run() async throws { try await feature.run() }
}
