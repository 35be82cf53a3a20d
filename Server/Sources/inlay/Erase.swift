import ArgumentParser
import InlayServer

/// `inlay erase`: forgets a user of an app.
struct Erase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Forget a user of an app: whatever any room of the server keeps of them.",
        discussion: """
            For users of your own backend's tokens; the user of an account goes with the account. A running server \
            forgets within seconds and once more ten minutes later; one that stands does so when it starts.
            """)

    @OptionGroup var options: ServerOptions
    @Argument(help: "The environment's id.") var environment: String
    @Argument(help: "The user's id, as your tokens name it.") var user: String

    func run() async throws {
        try await options.withFeatures { features, services in
            try await features.devices.eraseUser(environment, user)
            try await services.recordCommand("erased user", user, environment)
            Output.line(
                "Noted. A running server forgets within seconds, and once more ten minutes later; one that stands "
                    + "does so when it starts.")
        }
    }
}
