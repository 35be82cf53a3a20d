import ArgumentParser
import Foundation
import InlayBehaviorsServer
import InlayServer
import InlayServerCore

extension Key {
    /// `inlay key oauth`: manages the clients of `/oauth/token`.
    struct OAuth: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "oauth",
            abstract: "Create an OAuth client for events and XMLAPI. It is shown only once.",
            discussion: """
                The client id, secret and refresh token go into the program that sends events or contacts, or into \
                an app that moves over from the documented SDK. --list shows the clients, --revoke revokes one.
                """)

        @OptionGroup var options: ServerOptions
        @Argument(help: "The environment's id.") var environment: EnvironmentID
        @Option(help: "The client's name.") var name = "Program"
        @Flag(help: "List the clients.") var list = false
        @Option(help: "Revoke this client: oc_….") var revoke: OAuthClientID?

        func run() async throws {
            try await options.withServices { services in
                let store = OAuthStore(database: services.database, now: services.now)
                if let revoke {
                    try await store.revokeClient(environment, revoke)
                    try await services.recordCommand("revoked OAuth client", revoke.rawValue, environment)
                } else if list {
                    for client in try await store.clients(environment) {
                        let end = client.revokedAt == nil ? "" : "  (revoked)"
                        Output.line("\(client.id)  oauth    \(client.name)\(end)")
                    }
                } else {
                    let made = try await store.addClient(environment, name: name)
                    try await services.recordCommand(
                        "created OAuth client", made.client.id.rawValue, environment)
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
