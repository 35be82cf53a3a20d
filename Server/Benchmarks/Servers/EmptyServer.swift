import ArgumentParser
import Hummingbird

/// The HTTP baseline: the same framework with one route, which responds with two letters.
struct EmptyServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "empty", shouldDisplay: false)

    func run() async throws {
        let router = Router()
        router.get("/") { _, _ in "ok" }
        try await BareServer.run(router, label: "empty")
    }
}
