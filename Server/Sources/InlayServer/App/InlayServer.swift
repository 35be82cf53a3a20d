import Foundation
import Hummingbird
import InlaySQL
import InlayWire
import Logging
import NIOCore
import ServiceLifecycle

/// A whole server: database, features, HTTP and sockets on one port.
///
/// Made by ``make(_:logger:now:)``, which brings the schema up to date; it listens once it is run as a
/// service. Several servers in one process share nothing.
public struct InlayServer: Service {
    /// What features build on; tests and the demo reach the stores through it.
    package let services: ServerServices
    /// The features by name.
    package let features: ServerFeatures
    private let application: Application<RouterResponder<ServerContext>>
    private let listening: ListeningAddress
    /// Every route that is served; a test holds the API's document against it.
    let routes: AllowedMethods

    /// Opens the database and migrates it, waiting for other nodes that do the same.
    ///
    /// Throws ``ConfigurationError`` or an `SQLError` that says what to mend.
    public static func make(
        _ configuration: InlayServerConfiguration, logger: Logger,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) async throws -> InlayServer {
        try await make(configuration, logger: logger, now: now) { _ in [] }
    }

    /// The same with rooms of the caller's own, for example the pictures of the demo.
    package static func make(
        _ configuration: InlayServerConfiguration, logger: Logger,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        adding guests: (ServerServices) -> [any ServerFeature]
    ) async throws -> InlayServer {
        let database = try await openDatabase(configuration.database)
        do {
            return try await InlayServer(
                configuration, database: database, logger: logger, now: now, guests: guests)
        } catch {
            database.close()
            throw error
        }
    }

    init(
        _ configuration: InlayServerConfiguration, database: any SQLDatabase, logger: Logger,
        now: @escaping @Sendable () -> Timestamp,
        guests: (ServerServices) -> [any ServerFeature] = { _ in [] }
    ) async throws {
        let prometheus = PrometheusMetrics()
        let services = ServerServices(configuration, database, prometheus, logger, now)
        let features = ServerFeatures(services, prometheus: prometheus, guests: guests(services))
        try await database.migrate(features.all.flatMap(\.migrations))
        try await services.environments.prepare()
        let listening = ListeningAddress()
        self.services = services
        self.features = features
        self.listening = listening
        routes = AllowedMethods()
        application = ServerApplication.make(services, features, listening, routes)
    }

    /// The port it listens on; waits until it does, `nil` when it never came to listen.
    public var port: Int? { get async { await listening.port() } }

    /// Listens until the task is cancelled or the service group stops gracefully, then closes the database.
    public func run() async throws {
        defer {
            listening.finish()
            services.database.close()
        }
        let lease = try DatabaseLease.take(services.configuration.database)
        defer { withExtendedLifetime(lease) {} }
        // A listener that broke must end the process, so that somebody starts it again.
        let services: [any Service] =
            features.all.map { FeatureService(feature: $0) } + [application, Listener(address: listening)]
        var configuration = ServiceGroupConfiguration(
            services: services.map {
                .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
            },
            logger: application.logger)
        configuration.maximumGracefulShutdownDuration = .seconds(self.services.configuration.stopSeconds)
        try await ServiceGroup(configuration: configuration).run()
    }

    private struct Listener: Service {
        let address: ListeningAddress

        func run() async { await cancelWhenGracefulShutdown { await address.untilEnd() } }
    }

    private static func openDatabase(_ url: String) async throws -> any SQLDatabase {
        if url.hasPrefix("sqlite:") {
            let folder = URL(fileURLWithPath: String(url.dropFirst("sqlite:".count)))
                .deletingLastPathComponent()
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        return try await SQLDatabaseURL.open(url)
    }
}
