import ArgumentParser
import Foundation
import InlayServer

extension Key {
    /// `inlay key application`: an app whose end users have accounts.
    struct Application: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "application",
            abstract: "Make an application for accounts and devices; its secret is shown only now.",
            discussion: """
                The id and a secret go into the app that sets up devices. Two secrets may be live: --rotate makes \
                the next one, --revoke-secret ends one, --revoke ends the application. --list shows them.
                """)

        @OptionGroup var options: ServerOptions
        @Argument(help: "The environment's id.") var environment: String
        @Option(help: "What people call the application; end users read it in mails.") var name = "App"
        @Flag(help: "Open accounts before their address is proven; tells new addresses from known ones.")
        var atOnce = false
        @Flag(help: "Show the applications and their secrets' names instead of making one.") var list = false
        @Option(help: "Make the next secret of this application: app_….") var rotate: String?
        @Option(help: "End this secret, as --list shows it: ias_….") var revokeSecret: String?
        @Option(help: "End this application: app_….") var revoke: String?

        func run() async throws {
            try await options.withServices { services in
                let store = ApplicationStore(database: services.database, now: services.now)
                if let rotate {
                    let secret = try await store.addSecret(environment, rotate)
                    try await services.recordCommand("made application secret", rotate, environment)
                    Output.line("secret  \(secret)")
                } else if let revokeSecret {
                    try await end(secret: revokeSecret, in: store)
                    try await services.recordCommand("revoked application secret", revokeSecret, environment)
                } else if let revoke {
                    try await store.revoke(environment, revoke)
                    try await services.recordCommand("revoked application", revoke, environment)
                } else if list {
                    try await show(store)
                } else {
                    let made = try await store.create(environment, name: name, opensAtOnce: atOnce)
                    try await services.recordCommand("made application", made.application.id, environment)
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
            throw ValidationError("There is no secret \(secret) in \(environment).")
        }
    }
}
