import ArgumentParser
import Configuration
import Foundation
import InlayHubServer
import InlayOpenRTB
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging

/// The options that all commands share. Each may also come from `INLAY_…` or from a file.
struct ServerOptions: ParsableArguments {
    @Option(help: "A JSON file with settings, for example {\"port\": 8080}.")
    var config: String?

    @Option(help: "sqlite:PATH or postgres://…; default sqlite:.inlay/inlay.sqlite.")
    var database: String?

    @Option(help: "trace, debug, info, notice, warning, error or critical; default info.")
    var logLevel: String?

    /// Returns the configuration. Flags override the environment, which overrides the file.
    private func configuration(_ flags: [String: String]) async throws -> InlayServerConfiguration {
        var flags = flags
        flags["database"] = database
        flags["logLevel"] = logLevel
        // Keys have the prefix `inlay`, which only environment variables contain (INLAY_PORT).
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: flags.asConfiguration).prefixedForInlay,
            EnvironmentVariablesProvider(),
        ]
        if let config {
            providers.append(
                InMemoryProvider(
                    name: config, values: try SettingsFile(path: config).texts.asConfiguration
                ).prefixedForInlay)
        }
        return try InlayServerConfiguration(reader: ConfigReader(providers: providers).scoped(to: "inlay"))
    }

    /// Opens and migrates the database without listening, and runs `work` with the server's services.
    func withServices(_ work: (ServerServices) async throws -> Void) async throws {
        try await withServer { try await work($0.services) }
    }

    /// Runs `work` with the hub and the server's services.
    func withServices(_ work: (HubFeature, ServerServices) async throws -> Void) async throws {
        try await withServer { try await work($0.features.hub, $0.services) }
    }

    /// Runs `work` with all features and the server's services.
    func withFeatures(_ work: (ServerFeatures, ServerServices) async throws -> Void) async throws {
        try await withServer { try await work($0.features, $0.services) }
    }

    /// Runs `work` with the server.
    func withServer(_ work: (InlayServer) async throws -> Void) async throws {
        try await withConfiguration { configuration in
            let server = try await InlayServer.makeForCommand(
                configuration, logger: Self.logger(configuration))
            defer { server.close() }
            try await work(server)
        }
    }

    /// Runs `work` with the configuration. An error that it throws has none of the secrets in it.
    func withConfiguration(
        _ flags: [String: String] = [:], _ work: (InlayServerConfiguration) async throws -> Void
    ) async throws {
        let configuration = try await configuration(flags)
        do {
            try await work(configuration)
        } catch {
            throw CommandError.printed(error, without: configuration.secrets)
        }
    }

    /// Returns a logger for standard error, so that a command's output can be piped.
    static func logger(_ configuration: InlayServerConfiguration) -> Logger {
        var logger = Logger(label: "inlay") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = configuration.logLevel
        return logger.without(configuration.secrets)
    }
}

extension [String: String] {
    fileprivate var asConfiguration: [AbsoluteConfigKey: ConfigValue] {
        [AbsoluteConfigKey: ConfigValue](
            uniqueKeysWithValues: map {
                (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value), isSecret: true))
            })
    }
}

extension ConfigProvider {
    /// Removes the prefix from keys before the lookup, because this provider's keys have none.
    fileprivate var prefixedForInlay: KeyMappingProvider<Self> {
        mapKeys { key in AbsoluteConfigKey(Array(key.components.dropFirst()), context: key.context) }
    }
}
