import Foundation
import InlayCore
import InlayDevices
import InlaySurface

/// The set-up of a ticket reader in Harbor's app. Every time its page is opened it begins anew.
actor DemoReader: Surface {
    nonisolated let name = "reader"
    private let devices: Devices
    private var current: DeviceSetupSurface?

    init(_ configuration: DevicesConfiguration, transport: any Transport) async throws {
        devices = try await Devices(configuration, transport: transport)
    }

    func run(_ link: SurfaceLink) async {
        var options = DeviceSetupOptions()
        options.networks = ["Harbor Guest", "Quay 4"]
        options.deviceName = "Ticket reader"
        let setup = devices.setUp(options)
        guard let surface = try? DeviceSetupSurface(setup, name: name) else { return }
        current = surface
        await surface.run(link)
        await setup.send(.cancel)
    }

    func resource(_ path: String) async throws -> SurfaceContent {
        guard let current else { throw SurfaceContentMissing() }
        return try await current.resource(path)
    }
}
