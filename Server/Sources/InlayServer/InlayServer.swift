import Dispatch
import Foundation
import Hummingbird
import InlayDevicesServer
import InlayHubServer
package import InlaySQL
public import InlayServerCore
@_spi(Inlay) public import InlayWire
public import Logging
import NIOConcurrencyHelpers
import NIOCore
public import ServiceLifecycle

/// A whole server: database, features, HTTP and sockets on one port.
///
/// Made by ``make(_:logger:now:)``, which brings the schema up to date; it listens once it is run as a
/// service. Several servers in one process share nothing.
public struct InlayServer: Service, CustomStringConvertible, CustomReflectable {
    /// A name without any setting: ServiceLifecycle logs it.
    public var description: String { "InlayServer" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The services that features use; tests and the demo reach the stores through it.
    package let services: ServerServices
    /// The features by name.
    package let features: ServerFeatures
    private let application: Application<RouterResponder<ServerContext>>
    private let listening: ListeningAddress
    private let lease: DatabaseLease?
    /// Every route that is served; a test compares the API's document with them.
    let routes: AllowedMethods

    /// Opens the database and migrates it, waiting for other nodes that do the same.
    ///
    /// Throws ``ConfigurationError`` or an `SQLError` that says what to repair.
    public static func make(
        _ configuration: InlayServerConfiguration, logger: Logger,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) async throws -> InlayServer {
        try await make(configuration, logger: logger, now: now) { _ in [] }
    }

    /// Does the same with features of the caller's own, for example the pictures of the demo.
    ///
    /// `watching` returns the database that the server uses in place of the one that was opened: a test's, which
    /// records the statements.
    package static func make(
        _ configuration: InlayServerConfiguration, logger: Logger,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        watching: (any SQLDatabase) -> any SQLDatabase = { $0 },
        adding added: (ServerServices) -> [any ServerFeature]
    ) async throws -> InlayServer {
        if let fault = ProcessTimeZone.current.fault { logger.warning("\(fault)") }
        try makeFolder(configuration.database.value)
        // Before the file is opened: when another server has it, nothing must have been changed.
        let lease = try await DatabaseLease.take(configuration.database.value)
        return try await open(configuration, lease, logger, now, added, watching: watching) {
            try await $0.migrate($1)
        }
    }

    /// Does the same for a command, which may work beside a server; ``close()`` must follow.
    ///
    /// It changes the schema only when no other process has the database, and throws ``ConfigurationError`` when a
    /// running server has another schema.
    package static func makeForCommand(
        _ configuration: InlayServerConfiguration, logger: Logger
    ) async throws -> InlayServer {
        try makeFolder(configuration.database.value)
        let path = SQLitePath.path(of: configuration.database.value)
        let lease = try path.flatMap { try DatabaseLease(path: $0) }
        return try await open(configuration, lease, logger, Timestamp.now, { _ in [] }, isServing: false) {
            database, migrations in
            if path == nil || lease != nil { return try await database.migrate(migrations) }
            // A server that is starting, or another command, may be migrating.
            _ = try await DatabaseLease.soon {
                try await database.isMigrated(migrations) ? true : nil
            } orElse: {
                ConfigurationError(
                    description: """
                        A server of an older version uses this database, and its schema must not change under \
                        it. Use the 'inlay' of that server, or stop the server first.
                        """)
            }
        }
    }

    private static func open(
        _ configuration: InlayServerConfiguration, _ lease: DatabaseLease?, _ logger: Logger,
        _ now: @escaping @Sendable () -> Timestamp, _ added: (ServerServices) -> [any ServerFeature],
        watching: (any SQLDatabase) -> any SQLDatabase = { $0 }, isServing: Bool = true,
        migrate: (any SQLDatabase, [SQLMigration]) async throws -> Void
    ) async throws -> InlayServer {
        let logger = logger.without(configuration.secrets)
        let database = watching(
            try await SQLDatabaseURL.open(
                configuration.database.value, logger: logger,
                answerLimit: .seconds(configuration.databaseSeconds)))
        do {
            let server = try InlayServer(configuration, database, lease, logger, now, added)
            try await migrate(database, server.features.migrations)
            try await server.services.environments.prepare()
            try await server.checkContentSecret(isServing: isServing)
            return server
        } catch {
            database.close()
            throw error
        }
    }

    private init(
        _ configuration: InlayServerConfiguration, _ database: any SQLDatabase, _ lease: DatabaseLease?,
        _ logger: Logger, _ now: @escaping @Sendable () -> Timestamp,
        _ added: (ServerServices) -> [any ServerFeature]
    ) throws {
        let prometheus = PrometheusMetrics()
        // Before the services, which need it. Operators end sessions with it, so its writes add the lines of the audit
        // log, too.
        let tokens = AccountTokenStore(
            database: ServerServices.audited(database).lane("devices"), now: now)
        let services = ServerServices(configuration, database, prometheus, logger, accounts: tokens, now)
        let features = try ServerFeatures(
            services, tokens: tokens, prometheus: prometheus, adding: added(services))
        let listening = ListeningAddress()
        self.services = services
        self.features = features
        self.listening = listening
        self.lease = lease
        routes = AllowedMethods()
        application = try ServerApplication.make(
            services, features.live, features.all, listening, routes, features.names)
    }

    /// Whether a server, or another command, has the SQLite database open too; `false` with PostgreSQL, where it is
    /// unknown.
    package var isDatabaseOpenElsewhere: Bool {
        lease == nil && SQLitePath.path(of: services.configuration.database.value) != nil
    }

    /// Closes a server that is not run, and lets others use its database.
    package func close() {
        services.database.close()
        lease?.release()
    }

    /// The port that the server listens on; waits until it does. `nil` when it ended before it listened.
    public var port: Int? { get async { await listening.port() } }

    /// Listens until the task is cancelled or the service group stops gracefully, then closes the database.
    ///
    /// Returns only after such a stop, also when it cut off requests at the limit. Throws when it ended by itself, as
    /// with a listener that broke: the caller must start it again.
    public func run() async throws {
        // Emptied once the server has stopped: nothing is left to abandon then.
        let abandoned = NIOLockedValueBox<(any SQLDatabase)?>(services.database)
        let isAskedToStop = NIOLockedValueBox(false)
        defer {
            listening.finish()
            close()
            abandoned.withLockedValue { $0 = nil }
        }
        let limit = DispatchTimeInterval.seconds(services.configuration.stopSeconds)
        let listener = Listener(address: listening) {
            // A database that hangs would block its callers, and those would keep the process running.
            DispatchQueue.global().asyncAfter(deadline: .now() + limit) {
                abandoned.withLockedValue { $0 }?.abandon()
            }
        }
        do {
            try await withGracefulShutdownHandler {
                try await ServiceGroup(configuration: groupConfiguration(listener)).run()
            } onGracefulShutdown: {
                isAskedToStop.withLockedValue { $0 = true }
            }
        } catch is CancellationError {
            if isAskedToStop.withLockedValue(\.self), !Task.isCancelled {
                services.logger.notice("Requests that took longer than the limit of a stop were cut off")
            }
        }
        guard isAskedToStop.withLockedValue(\.self) || Task.isCancelled else { throw UnexpectedStopError() }
    }

    private func groupConfiguration(_ listener: Listener) -> ServiceGroupConfiguration {
        let all: [any Service] =
            features.all.map { NamedService("\(type(of: $0))", FeatureService(feature: $0)) }
            // A group stops its services from the last to the first.
            + [NamedService("HTTP", application), NamedService("Listener", listener)]
        var configuration = ServiceGroupConfiguration(
            services: all.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
            logger: application.logger)
        configuration.maximumGracefulShutdownDuration = .seconds(services.configuration.stopSeconds)
        return configuration
    }

    /// The end of a server that nobody asked to stop.
    private struct UnexpectedStopError: Error, CustomStringConvertible {
        let description = "The server no longer listens, though nothing asked it to stop. Start it again."
    }

    /// A service that ends before all others, whatever ends the server: a stop, a cancelled task or a broken listener.
    private struct Listener: Service {
        let address: ListeningAddress
        let onEnd: @Sendable () -> Void

        func run() async {
            defer { onEnd() }
            await cancelWhenGracefulShutdown { await address.waitUntilStopped() }
        }
    }

    private static func makeFolder(_ url: String) throws {
        guard let path = SQLitePath.path(of: url) else { return }
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }
}
