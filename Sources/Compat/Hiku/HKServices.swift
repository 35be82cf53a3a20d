internal import Foundation
@_spi(Inlay) package import InlayCore
@_spi(Inlay) package import InlayDevices
package import InlayPlatform

/// The services that the facade uses: the platform's own, or a test's.
package struct HKServices: Sendable {
    package var transport: any Transport
    package var clock: any SessionClock
    package var presenter: any HKPresenting

    @MainActor package init(
        transport: any Transport = URLSessionTransport(), clock: any SessionClock = SystemClock(),
        presenter: any HKPresenting = HKPresenter()
    ) {
        self.transport = transport
        self.clock = clock
        self.presenter = presenter
    }
}

/// Brings a set-up's screens up and takes them away.
@MainActor package protocol HKPresenting: Sendable {
    /// Shows the surface. Called once before `dismiss`.
    func present(
        _ surface: DeviceSetupSurface, style: SDKHKPresentationStyle, from controller: UIViewController?)

    /// Takes the surface away; the app's own screen is in front again.
    func dismiss(_ surface: DeviceSetupSurface)
}
