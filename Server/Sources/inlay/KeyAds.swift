import ArgumentParser
import Foundation
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire

extension Key {
    /// `inlay key ads`: shows or replaces the keys that sign trackers and rewards.
    struct Ads: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ads", abstract: "Show or replace the keys that sign an environment's ads.",
            discussion: """
                The server creates and replaces these keys: those of trackers every week, those of rewards every thirty \
                days. --rotate replaces both now; signatures of the old keys stay valid for two days (trackers) and a \
                week (rewards). If the keys were stolen, add --at-once: the server then refuses everything that they \
                signed, including trackers of ads that are on screen. It takes effect at once with PostgreSQL, and \
                within a minute on a running server with SQLite, which signs with the old keys until then. Rewards \
                are verified by your apps' servers: they trust a stolen key until they fetch the list of keys again, \
                so notify them. From then on they also refuse rewards that the key signed and that were not delivered \
                yet.
                """)

        @OptionGroup var options: ServerOptions
        @Argument(help: "The environment's id.") var environment: EnvironmentID
        @Flag(help: "Replace the keys instead of showing them.") var rotate = false
        @Flag(help: "With --rotate: refuse everything that the old keys signed.") var atOnce = false

        func validate() throws {
            if atOnce, !rotate { throw ValidationError("--at-once needs --rotate.") }
        }

        func run() async throws {
            try await options.withFeatures { features, services in
                let keys = features.ads.keys
                guard try await services.environments.environment(environment) != nil else {
                    throw Problem.notFound("environment", named: environment.rawValue)
                }
                if rotate {
                    try await keys.rotate(environment, overlap: !atOnce)
                    try await services.recordCommand(
                        atOnce ? "replaced ad keys at once" : "replaced ad keys",
                        environment.rawValue, environment)
                }
                if atOnce {
                    Output.line(
                        "Your apps' servers trust stolen reward keys until they fetch the list again: notify them."
                    )
                }
                let now = services.now()
                for key in try await keys.list(environment) {
                    let end =
                        key.retiresAt > now
                        ? "signs until \(key.retiresAt.rfc3339)" : "valid until \(key.endsAt.rfc3339)"
                    Output.line("\(key.id)  \(key.purpose == "reward" ? "reward " : key.purpose)  \(end)")
                }
            }
        }
    }
}
