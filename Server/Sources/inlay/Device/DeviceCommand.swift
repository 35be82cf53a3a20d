import ArgumentParser

/// `inlay device`: simulates devices and shows their set-up.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Try the set-up of devices without a device.",
        subcommands: [DeviceSimulate.self, DeviceApp.self])
}
