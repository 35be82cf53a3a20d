import ArgumentParser
import Foundation
import InlayAdsServer
import InlayHubServer
import InlayServer
import InlayServerCore

extension Key {
    /// `inlay key lost-secret`: removes the private keys of a lost content secret.
    struct LostSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lost-secret",
            abstract: "Count, and delete, the private keys that the content secret does not decrypt.",
            discussion: """
                Only if the file is lost for good: deleted keys cannot be restored, even if the file is found again. Use \
                the settings of the server, or the command reads another file; it prints which one. Stop the server \
                first: on SQLite nothing is deleted while one runs, with PostgreSQL the command cannot detect it. \
                Docs/Publishing.md describes what to do about content whose keys are lost.
                """)
        @OptionGroup var options: ServerOptions
        @Flag(help: "Delete the keys from the database. Without this flag they are only counted.")
        var giveUp = false

        func run() async throws {
            try await options.withServer { server in
                let (all, unreadable) = try await server.sealedKeys.counts()
                // An absolute path: in another folder than the server's a relative one would look right.
                let file = URL(fileURLWithPath: server.services.configuration.contentSecretPath).path
                Output.line(
                    """
                    The content secret \(file) does not decrypt
                        \(unreadable["content"]) of \(all["content"]) keys of content
                        \(unreadable["ads"]) of \(all["ads"]) keys of the ad exchange
                    """)
                guard unreadable.all > 0 else { return }
                guard giveUp else {
                    return Output.line("Nothing was changed. --give-up deletes them from the database.")
                }
                guard !server.isDatabaseOpenElsewhere else {
                    throw CommandError(
                        """
                        A server, or another command, uses this database, and may have the file that decrypts these keys. \
                        Stop it first. Nothing was changed.
                        """)
                }
                _ = try await server.sealedKeys.discardUnreadable()
                try await server.services.recordCommand("gave up keys of a lost content secret", "")
                Output.line(
                    """
                    The keys were deleted. The exchange creates new keys; views and rewards that the old ones signed are \
                    refused. Content is signed again after its roles were rotated, with root keys from files: \
                    Docs/Publishing.md, "A key was lost or stolen".
                    """)
            }
        }
    }
}
