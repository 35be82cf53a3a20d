import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayDevices
@_spi(Inlay) import InlayDevicesView
@_spi(Inlay) import InlaySurface

/// The set-up of a ticket reader in Harbor's app. It starts again each time its page is opened.
actor DemoReader: Surface {
    nonisolated let name = "reader"
    nonisolated let assets = SurfaceAssets.devices
    private let devices: Devices
    private var current: DeviceSetupSurface?

    init(_ configuration: DevicesConfiguration, transport: any Transport) async throws {
        devices = try await Devices(configuration, transport: transport)
    }

    func run(_ link: SurfaceLink) async {
        var options = DeviceSetup.Options()
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
