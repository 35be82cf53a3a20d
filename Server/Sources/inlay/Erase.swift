import ArgumentParser
import InlayServer
import InlayServerCore

/// `inlay erase`: erases a user of an app.
struct Erase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Erase all data that the server has of a user of an app.",
        discussion: """
            For users that your own backend's tokens name; delete an account to erase its user. A running server erases \
            the data within seconds, and again ten minutes later; a stopped one does so when it starts.
            """)

    @OptionGroup var options: ServerOptions
    @Argument(help: "The environment's id.") var environment: EnvironmentID
    @Argument(help: "The user's id, as in your tokens.") var user: UserID

    func run() async throws {
        try await options.withFeatures { features, services in
            try await features.devices.eraseUser(environment, user)
            try await services.recordCommand("erased user", user.rawValue, environment)
            Output.line(
                "Scheduled. A running server erases the data within seconds, and again ten minutes later; a stopped one "
                    + "does so when it starts.")
        }
    }
}
