import ArgumentParser
import InlayServer

extension ContentKey {
    /// `inlay key content carry-over`: newer roots and keys after a restore that `inlay restore` did not do.
    struct CarryOver: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "carry-over",
            abstract: "Take newer roots and keys of all content sources over from another database.",
            discussion: """
                For a database that was restored from an older copy by other means than 'inlay restore': the database \
                so far, kept under another name, has the roots that devices follow. Stop the servers first. The \
                content is signed anew when the server starts.
                """)

        @OptionGroup var options: ServerOptions
        @Option(help: "The address of the database so far, for example postgres:///inlay_before.") var from:
            String

        func run() async throws {
            try await options.withServices { services in
                let (carried, lost) = try await HubKeyCarryOver.run(from: from, into: services.database)
                for source in carried {
                    Output.line("Took over newer roots and keys of content source \(source).")
                }
                if carried.isEmpty { Output.line("No content source has newer roots there.") }
                guard lost.isEmpty else {
                    throw ValidationError("Devices of these stay locked out: " + lost.joined(separator: "; "))
                }
            }
        }
    }
}
