import ArgumentParser
import Foundation
import InlayBehaviorsServer
import InlayDevicesServer
import InlayHubServer
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// `inlay key`: manages the keys of apps, backends, ads and signed content.
struct Key: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create and revoke keys of an environment: for apps, backends, ads and signed content.",
        subcommands: [
            Create.self, Secret.self, OAuth.self, Application.self, Ads.self, Token.self, List.self,
            Revoke.self, ContentKey.self, LostSecret.self,
        ],
        defaultSubcommand: List.self)

    /// `inlay key create`: creates an API key, with a new key pair unless a public key is given.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create an API key for an app, and the environment if it does not exist.",
            discussion: """
                Without --public-key, a key pair for development is generated: the private key is written to the file \
                of --private-key, and a token for --user, valid for a day, is printed.
                """)

        @OptionGroup var options: ServerOptions
        @Argument(help: "The environment's id, for example harbor.") var environment: EnvironmentID
        @Option(help: "The key's name.") var name = "Development"
        @Option(help: "A file with a public key (PEM) or a JWKS document.") var publicKey: String?
        @Option(help: "The file for the private key of a generated pair.") var privateKey =
            ".inlay/development-key.pem"
        @Option(help: "The required value of iss in tokens.") var issuer: String?
        @Option(help: "The required value of aud in tokens.") var audience: String?
        @Option(help: "The claim with the user's id.") var userClaim = "sub"
        @Option(help: "The user of the printed token.") var user = "alice"

        func run() async throws {
            try await options.withServices { services in
                let signer = try publicKey == nil ? DevelopmentSigner.make(at: privateKey) : nil
                let text = try signer?.publicKeyPEM ?? String(textFileAt: publicKey ?? "")
                if try await services.environments.environment(environment) == nil {
                    _ = try await services.environments.create(
                        id: environment.rawValue, name: environment.rawValue)
                }
                let key = try await services.environments.addApiKey(
                    environment, name: name,
                    rules: TokenRules(
                        publicKey: text, issuer: issuer, audience: audience, userClaim: userClaim))
                try await services.recordCommand("created API key", key.id, environment)
                Output.line("environment  \(environment)\napi key      \(key.id)")
                guard let signer else { return }
                let token = try signer.token(
                    user: user, claim: userClaim, issuer: issuer, audience: audience, life: .seconds(86_400))
                Output.line("private key  \(privateKey)\ntoken        \(token)")
            }
        }
    }

    /// `inlay key token`: prints a token signed with a development key.
    struct Token: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a token for a user, for development.")

        @Argument(help: "The user's id.") var user: String
        @Option(help: "The private key that 'inlay key create' wrote.") var privateKey =
            ".inlay/development-key.pem"
        @Option(help: "The claim with the user's id.") var userClaim = "sub"
        @Option(help: "The token's iss.") var issuer: String?
        @Option(help: "The token's aud.") var audience: String?
        @Option(help: "Seconds until the token expires.") var life = 86_400

        func run() async throws {
            let signer = try DevelopmentSigner(path: privateKey)
            Output.line(
                try signer.token(
                    user: user, claim: userClaim, issuer: issuer, audience: audience, life: .seconds(life)))
        }
    }

    /// `inlay key secret`: creates a secret key for a backend.
    struct Secret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a secret key for a backend. It is shown only once.")

        @OptionGroup var options: ServerOptions
        @Argument(help: "The environment's id.") var environment: EnvironmentID
        @Option(help: "The key's name.") var name = "Backend"

        func run() async throws {
            try await options.withServices { services in
                let made = try await services.environments.addSecretKey(environment, name: name)
                try await services.recordCommand("created secret key", made.key.id, environment)
                Output.line(made.secret)
            }
        }
    }

    /// `inlay key list`: shows the keys of an environment.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the keys of an environment.",
            discussion:
                "Content keys in use are listed by role; 'inlay key content' has the details.")

        @OptionGroup var options: ServerOptions
        @Argument(help: "The environment's id.") var environment: EnvironmentID

        func run() async throws {
            try await options.withServices { hub, services in
                for key in try await services.environments.apiKeys(environment) {
                    Output.line("\(key.id)  app      \(key.name)\(key.revokedAt == nil ? "" : "  (revoked)")")
                }
                for key in try await services.environments.secretKeys(environment) {
                    Output.line("\(key.id)  backend  \(key.name)\(key.revokedAt == nil ? "" : "  (revoked)")")
                }
                for source in try await hub.content.sources(environment) {
                    for key in try await hub.keys.keys(environment, source.id) where key.retiredAt == nil {
                        Output.line("\(key.id.prefix(16))  content  \(source.id) \(key.role.rawValue)")
                    }
                }
            }
        }
    }

    /// `inlay key revoke`: revokes an API key or a secret key.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a key.",
            discussion:
                "It takes effect at once with PostgreSQL, and within a minute on a running server with SQLite."
        )

        @OptionGroup var options: ServerOptions
        @Argument(help: "The environment's id.") var environment: EnvironmentID
        @Argument(help: "The key's id: ak_… or sk_….") var key: String

        func run() async throws {
            try await options.withServices { services in
                if key.hasPrefix("sk_") {
                    try await services.environments.revokeSecretKey(environment, key)
                } else {
                    try await services.environments.revokeApiKey(environment, key)
                }
                try await services.recordCommand("revoked key", key, environment)
            }
        }
    }
}

extension ServerServices {
    /// Records an action in the audit log as done by the command line.
    func recordCommand(_ action: String, _ subject: String, _ environmentID: EnvironmentID? = nil)
        async throws
    {
        try await audit.record(action, subject: subject, by: "command line", environmentID: environmentID)
    }
}
