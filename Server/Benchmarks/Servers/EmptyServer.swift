import ArgumentParser
import Hummingbird
import Logging

/// The limit for HTTP: the same framework with one route that answers two letters.
struct EmptyServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "empty", shouldDisplay: false)

    func run() async throws {
        let router = Router()
        router.get("/") { _, _ in "ok" }
        var logger = Logger(label: "empty")
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                // The parent reads this line through a pipe.
                Announcement.say("PORT \(channel.localAddress?.port ?? 0)")
            }, logger: logger)
        try await application.runService()
    }
}
