import ArgumentParser
import Foundation
import InlayServer

extension Key {
    /// `inlay key lost-secret`: the way on when the content secret is gone.
    struct LostSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lost-secret",
            abstract: "Show, and give up, the private keys that the content secret does not open.",
            discussion: """
                Only when the file is lost for good: what is given up is gone, also when the file turns up again. \
                Start it with the settings of the server, or it looks at another file; it says at which. Stop the \
                server first: on SQLite nothing is given up while one runs, with PostgreSQL nobody can tell. \
                Docs/Publishing.md has the drill for content whose keys are lost.
                """)
        @OptionGroup var options: ServerOptions
        @Flag(help: "Take them out of the database. Without it they are only counted.") var giveUp = false

        func run() async throws {
            try await options.withServer { server in
                let (all, shut) = try await server.sealedKeys.count()
                // As a whole: in another folder than the server's a short path would look right.
                let file = URL(fileURLWithPath: server.services.configuration.contentSecretPath).path
                Output.line(
                    """
                    The content secret \(file) does not open
                        \(shut.content) of \(all.content) keys of content
                        \(shut.ads) of \(all.ads) keys of the ad exchange
                    """)
                guard shut.all > 0 else { return }
                guard giveUp else {
                    return Output.line("Nothing was changed. --give-up takes them out of the database.")
                }
                guard !server.isBesideAnother else {
                    throw ValidationError(
                        """
                        A server, or another command, uses this database, and may have the file that opens these keys. \
                        Stop it first. Nothing was changed.
                        """)
                }
                _ = try await server.sealedKeys.giveUp()
                try await server.services.recordCommand("gave up keys of a lost content secret", "")
                Output.line(
                    """
                    They were given up. The exchange makes new keys by itself; views and rewards signed with the \
                    old ones are refused. Content is signed again once its roles were rotated, with root keys \
                    from files: Docs/Publishing.md, "A key was lost or stolen".
                    """)
            }
        }
    }
}
