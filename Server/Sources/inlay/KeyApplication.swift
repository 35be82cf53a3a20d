import ArgumentParser
import Foundation
import InlayBehaviorsServer
import InlayDevicesServer
import InlayHubServer
import InlayServer
import InlayServerCore

extension Key {
    /// `inlay key application`: manages applications, which give an app's users accounts and devices.
    struct Application: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "application",
            abstract: "Create an application for accounts and devices. Its secret is shown only once.",
            discussion: """
                The id and a secret go into the app that sets up devices. Two secrets can be active: --rotate creates \
                the second one, --revoke-secret revokes one, --revoke revokes the application. --list shows them.
                """)

        @OptionGroup var options: ServerOptions
        @Argument(help: "The environment's id.") var environment: EnvironmentID
        @Option(help: "The application's name; end users read it in mails.") var name = "App"
        @Flag(
            help:
                "Open accounts before their address is proven. Responses then differ between new and known addresses."
        )
        var atOnce = false
        @Flag(help: "List the applications and the names of their secrets.") var list = false
        @Option(help: "Create the second secret of this application: app_….") var rotate: ApplicationID?
        @Option(help: "Revoke this secret, as --list shows it: ias_….") var revokeSecret: String?
        @Option(help: "Revoke this application: app_….") var revoke: ApplicationID?

        func run() async throws {
            try await options.withServices { services in
                let store = ApplicationStore(database: services.database, now: services.now)
                if let rotate {
                    let secret = try await store.addSecret(environment, rotate)
                    try await services.recordCommand(
                        "created application secret", rotate.rawValue, environment)
                    Output.line("secret  \(secret)")
                } else if let revokeSecret {
                    try await end(secret: revokeSecret, in: store)
                    try await services.recordCommand("revoked application secret", revokeSecret, environment)
                } else if let revoke {
                    try await store.revoke(environment, revoke)
                    try await services.recordCommand("revoked application", revoke.rawValue, environment)
                } else if list {
                    try await show(store)
                } else {
                    let made = try await store.create(environment, name: name, opensAtOnce: atOnce)
                    try await services.recordCommand(
                        "created application", made.application.id.rawValue, environment)
                    Output.line("application  \(made.application.id)\nsecret       \(made.secret)")
                }
            }
        }

        private func show(_ store: ApplicationStore) async throws {
            for application in try await store.applications(environment) {
                let end = application.revokedAt == nil ? "" : "  (revoked)"
                Output.line("\(application.id)  \(application.name)\(end)")
                for secret in try await store.secrets(environment, application.id) {
                    Output.line("    \(secret.id)_…\(secret.revokedAt == nil ? "" : "  (revoked)")")
                }
            }
        }

        private func end(secret: String, in store: ApplicationStore) async throws {
            for application in try await store.applications(environment) {
                let secrets = try await store.secrets(environment, application.id)
                guard secrets.contains(where: { $0.id == secret }) else { continue }
                return try await store.revokeSecret(environment, application.id, secret)
            }
            throw CommandError("There is no secret \(secret) in \(environment).")
        }
    }
}
