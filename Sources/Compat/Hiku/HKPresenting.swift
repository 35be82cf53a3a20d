package import InlayDevices
package import InlayPlatform

/// Brings a set-up's screens up and takes them away.
@MainActor package protocol HKPresenting: Sendable {
    /// Shows the surface. Called once before `dismiss`.
    func present(
        _ surface: DeviceSetupSurface, style: SDKHKPresentationStyle, from controller: UIViewController?)

    /// Takes the surface away; the app's own screen is in front again.
    func dismiss(_ surface: DeviceSetupSurface)
}
