import Configuration
import Foundation
import InlayServer
import InlayServerCore
import Logging
import ProbeFeature

/// The server of `inlay serve` with one more feature, for the browser tests.
///
/// Its settings come from the environment alone, for example `INLAY_PORT`.
@main
enum ProbeServer {
    static func main() async throws { try await serve() }

    private nonisolated static func serve() async throws {
        let configuration = try InlayServerConfiguration(
            reader: ConfigReader(provider: EnvironmentVariablesProvider()).scoped(to: "inlay"))
        var logger = Logger(label: "probe") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = configuration.logLevel
        let server = try await InlayServer.make(configuration, logger: logger) { [ProbeFeature($0)] }
        _ = try await server.services.operators.createFirst { try configuration.firstPassword() }
        try await server.runUntilSignal(logger: logger) { port in
            let line = "Inlay listens on http://\(configuration.host):\(port)\n"
            FileHandle.standardOutput.write(Data(line.utf8))
        }
    }
}
