import ArgumentParser
import InlayHubServer
import InlayServer

extension ContentKey {
    /// `inlay key content carry-over`: copies newer roots and keys after a restore by other means than `inlay restore`.
    struct CarryOver: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "carry-over",
            abstract: "Copy newer roots and keys of all content sources from another database.",
            discussion: """
                For a database that was restored from an older copy by other means than 'inlay restore': the replaced \
                database, kept under another name, has the roots that devices follow. Stop the servers first. The \
                content is signed again when the server starts.
                """)

        @OptionGroup var options: ServerOptions
        @Option(help: "The address of the replaced database, for example postgres:///inlay_before.") var from:
            String

        func run() async throws {
            try await options.withServices { services in
                let (carried, lost) = try await HubKeyCarryOver.run(from: from, into: services.database)
                for source in carried {
                    Output.line("Copied newer roots and keys of content source \(source).")
                }
                if carried.isEmpty { Output.line("No content source has newer roots there.") }
                guard lost.isEmpty else {
                    throw CommandError(
                        "Devices of these sources stay locked out: " + lost.joined(separator: "; "))
                }
            }
        }
    }
}
