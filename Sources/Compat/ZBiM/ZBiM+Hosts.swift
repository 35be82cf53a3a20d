@_spi(Inlay) public import InlayHub

@_spi(InlayHosts) extension ZBiM {
    /// The hub on screen, for a host that draws the hub without UIKit. Not part of the documented API.
    @MainActor public static var displayedHub: HubPresentation? { runtime.hub?.presentation }
}
