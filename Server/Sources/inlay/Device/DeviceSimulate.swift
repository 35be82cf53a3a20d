import ArgumentParser
import Foundation
import InlayNIO
import InlayServerCore
@_spi(Inlay) import InlayWire

/// `inlay device simulate`: runs a simulated device, which reads a page's flashing square, joins a simulated network
/// and claims itself at the server.
struct DeviceSimulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate a device: read the light of a page in Chromium, and claim the device.",
        discussion: """
            Chromium runs with --remote-debugging-port. The device sees what the square shows in each presented \
            frame, through a simulated panel, photodiode and converter. It has no other information.

            Exits with 0 if the server gave the device its credential; otherwise 10 no light, 11 network not found, \
            12 wrong password, 13 no internet, 14 token refused, 15 a payload it cannot read.
            """)

    @Option(
        help: "Chromium's debugging address, such as http://127.0.0.1:9222.", transform: BaseURL.argument)
    var devtools: BaseURL
    @Option(help: "A network in reach, NAME=PASSWORD; NAME= for an open one. Repeatable.") var wifi:
        [String] = []
    @Flag(name: .customLong("no-internet"), help: "The networks have no internet.") var noInternet = false
    @Flag(
        name: .customLong("first-network"),
        help: "The device has no older network, so it cannot say at once what it saw or why it failed.")
    var firstNetwork = false
    @Option(help: "How often it listens again after a failure.") var tries = 1
    @Option(help: "Seconds it waits for light.") var patience = 120.0
    @Option(help: "Its serial number.") var serial = "SIM-0001"
    @Option(help: "Its model.") var model = "simulated-reader"
    @Option(help: "Its firmware.") var firmware = "1.0.0"
    @Option(help: "Ambient light's noise, in decibels below the square's.") var noise = 34.0
    @Option(help: "The panel's time constant in milliseconds.") var panel = 3.0
    @Option(help: "Seed of the simulated sensor.") var seed: UInt64 = 1

    func run() async throws {
        let networks = try SimulatedNetworks(wifi, hasInternet: !noInternet)
        guard !devtools.isSecure else {
            throw CommandError("--devtools is an address such as http://127.0.0.1:9222.")
        }
        var device = SimulatedDevice(
            serial: serial, model: model, firmware: firmware, networks: networks,
            hasOlderNetwork: !firstNetwork, transport: try NIOTransport())
        let eye = SimulatedPhotodiode(
            devtools: devtools.url, timeout: .seconds(patience), noiseDecibels: noise, panelMillis: panel)
        var outcome = SimulatedOutcome.noLight
        for attempt in 0..<max(tries, 1) {
            outcome = try await setUpOnce(&device, eye, seed: seed &+ UInt64(attempt))
            if outcome == .paired { return }
        }
        throw ExitCode(outcome.rawValue)
    }

    private func setUpOnce(
        _ device: inout SimulatedDevice, _ eye: SimulatedPhotodiode, seed: UInt64
    ) async throws -> SimulatedOutcome {
        switch try await eye.read(seed: seed, log: Output.line) {
        case .nothing:
            Output.line("no light that could be read")
            return .noLight
        case .unreadable:
            Output.line("light was read, but it is of another version or sealed for another device")
            return .unreadable
        case .payload(let payload): return try await device.setUp(payload, log: Output.line)
        }
    }
}
