import ArgumentParser
import Foundation

/// The one command of an operator.
@main
struct Inlay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inlay",
        abstract: "Living content inside apps, from a server you run yourself.",
        subcommands: [
            Serve.self, Key.self, Publish.self, UserCommand.self, Erase.self, Backup.self, Restore.self,
            Preview.self,
            TUFClient.self, BidderCommand.self, DeviceCommand.self, Demo.self,
        ])

    /// As always, but for `tuf-client`: who tests clients with it knows one code for every failure.
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
            guard arguments.first == TUFClient.configuration.commandName, !exitCode(for: error).isSuccess
            else { exit(withError: error) }
            let message = fullMessage(for: error)
            if !message.isEmpty { FileHandle.standardError.write(Data("\(message)\n".utf8)) }
            exit(withError: ExitCode.failure)
        }
    }
}
