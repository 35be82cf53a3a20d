import ArgumentParser
import Foundation
import InlayServer
import InlayWire

extension Key {
    /// `inlay key ads`: the keys that sign trackers and rewards.
    struct Ads: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ads", abstract: "Show or replace the keys that sign an environment's ads.",
            discussion: """
                The server makes and replaces them by itself: those of trackers every week, those of rewards every \
                thirty days. --rotate replaces both now; what the old ones signed is believed for two days (trackers) \
                and a week (rewards). When somebody else has them, add --at-once: then nothing that they signed is \
                believed by the server, and devices' trackers that are under way are refused, the views among them. \
                With PostgreSQL at once; a server that runs on SQLite notices within a minute. Rewards are checked by \
                apps' own servers: they believe a stolen key until they ask for the list again, so tell them. From \
                then on they also refuse rewards that were signed with it and still wait to be taken; on SQLite the \
                server goes on signing with it for up to that minute.
                """)

        @OptionGroup var options: ServerOptions
        @Argument(help: "The environment's id.") var environment: String
        @Flag(help: "Replace the keys instead of showing them.") var rotate = false
        @Flag(help: "With --rotate: believe nothing that they signed, from now on.") var atOnce = false

        func validate() throws {
            if atOnce, !rotate { throw ValidationError("--at-once is a way to --rotate: give both.") }
        }

        func run() async throws {
            try await options.withFeatures { features, services in
                let keys = features.ads.keys
                guard try await services.environments.environment(environment) != nil else {
                    throw ValidationError("There is no environment \"\(environment)\".")
                }
                if rotate {
                    try await keys.rotate(environment, overlap: !atOnce)
                    try await services.recordCommand(
                        atOnce ? "replaced ad keys at once" : "replaced ad keys", environment, environment)
                }
                if atOnce {
                    Output.line(
                        "Apps' servers believe stolen reward keys until they ask for the list again: tell them."
                    )
                }
                let now = services.now()
                for key in try await keys.list(environment) {
                    let end =
                        key.retiresAt > now
                        ? "signs until \(key.retiresAt.rfc3339)" : "believed until \(key.endsAt.rfc3339)"
                    Output.line("\(key.id)  \(key.purpose == "reward" ? "reward " : key.purpose)  \(end)")
                }
            }
        }
    }
}
