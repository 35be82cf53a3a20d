import ArgumentParser
import Foundation
import InlayServer

extension Key {
    /// `inlay key oauth`: a client for `/oauth/token`.
    struct OAuth: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "oauth", abstract: "Make an OAuth client for events and XMLAPI; shown only now.",
            discussion: """
                The client id, secret and refresh token go into the program that sends events or contacts, or into \
                an app that moves over from the documented SDK. --list shows the clients, --revoke ends one.
                """)

        @OptionGroup var options: ServerOptions
        @Argument(help: "The environment's id.") var environment: String
        @Option(help: "What people call the client.") var name = "Program"
        @Flag(help: "Show the clients instead of making one.") var list = false
        @Option(help: "End this client instead of making one: oc_….") var revoke: String?

        func run() async throws {
            try await options.withServices { services in
                let store = OAuthStore(database: services.database, now: services.now)
                if let revoke {
                    try await store.revokeClient(environment, revoke)
                    try await services.recordCommand("revoked OAuth client", revoke, environment)
                } else if list {
                    for client in try await store.clients(environment) {
                        let end = client.revokedAt == nil ? "" : "  (revoked)"
                        Output.line("\(client.id)  oauth    \(client.name)\(end)")
                    }
                } else {
                    let made = try await store.addClient(environment, name: name)
                    try await services.recordCommand("made OAuth client", made.client.id, environment)
                    Output.line(
                        """
                        client id      \(made.credentials.clientID)
                        client secret  \(made.credentials.clientSecret)
                        refresh token  \(made.credentials.refreshToken)
                        """)
                }
            }
        }
    }
}
