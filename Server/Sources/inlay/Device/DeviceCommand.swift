import ArgumentParser

/// `inlay device`: devices that are not there.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Try the set-up of devices without a device.",
        subcommands: [DeviceSimulate.self, DeviceApp.self])
}
