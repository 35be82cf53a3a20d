import Hummingbird
import Logging

/// A server that is nothing but its routes, on a free loopback port.
enum BareServer {
    /// Serves until the process is told to end; the parent reads the port from a line `PORT n`.
    static func run(_ router: Router<BasicRequestContext>, label: String) async throws {
        var logger = Logger(label: label)
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in Announcement.say("PORT \(channel.localAddress?.port ?? 0)") },
            logger: logger)
        try await application.runService()
    }
}
