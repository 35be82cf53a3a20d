import ArgumentParser
import Foundation

/// The `inlay` command.
@main
struct Inlay: AsyncParsableCommand {
    /// The version in the file `VERSION`; a test compares them.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "inlay",
        abstract: "Live content inside your app, from a server that you run yourself.",
        version: version,
        subcommands: [
            Serve.self, Key.self, Publish.self, UserCommand.self, Erase.self, Backup.self, Restore.self,
            Preview.self,
            TUFClient.self, BidderCommand.self, DeviceCommand.self, Demo.self,
        ])

    /// Runs the command. `tuf-client` exits with 1 after every failure, as the TUF conformance suite expects.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let error = CommandError.printed(error)
            guard arguments.first == TUFClient.configuration.commandName, !exitCode(for: error).isSuccess
            else { exit(withError: error) }
            let message = fullMessage(for: error)
            if !message.isEmpty { FileHandle.standardError.write(Data("\(message)\n".utf8)) }
            exit(withError: ExitCode.failure)
        }
    }
}
