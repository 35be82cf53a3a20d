import ArgumentParser

/// The one command of an operator.
@main
struct Inlay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inlay",
        abstract: "Living content inside apps, from a server you run yourself.",
        subcommands: [
            Serve.self, Key.self, Publish.self, UserCommand.self, Backup.self, Restore.self, Preview.self,
            TUFClient.self, BidderCommand.self, DeviceCommand.self, Demo.self,
        ])
}
