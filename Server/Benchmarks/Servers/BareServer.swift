import Hummingbird
import Logging

/// A server with only the given routes, on a free loopback port.
enum BareServer {
    /// Serves until a stop signal; the parent process reads the port from a line `PORT n`.
    static func run(_ router: Router<BasicRequestContext>, label: String) async throws {
        var logger = Logger(label: label)
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in Announcement.write("PORT \(channel.localAddress?.port ?? 0)") },
            logger: logger)
        try await application.runService()
    }
}
