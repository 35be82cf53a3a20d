internal import Foundation
@_spi(Inlay) package import InlayCore
@_spi(Inlay) package import InlayDevices
package import InlayPlatform

/// The services that the facade uses; tests replace them.
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

/// A presenter of the screens of a set-up.
@MainActor package protocol HKPresenting: Sendable {
    /// Presents the surface. Called once before `dismiss`.
    func present(
        _ surface: DeviceSetupSurface, style: SDKHKPresentationStyle, from controller: UIViewController?)

    /// Dismisses the surface.
    func dismiss(_ surface: DeviceSetupSurface)
}
