@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWire

/// The theme that a container shows, and the one of Inlay's two palettes that fills its gaps.
@_spi(Inlay) public struct CardAppearanceChoice: Hashable, Sendable {
    /// The theme.
    public let theme: CardTheme
    /// The palette for all that the theme does not name.
    public let colorScheme: SurfaceEnvironment.ColorScheme

    /// Dark when it is wanted and there is a dark theme; a container without one stays light in the dark.
    /// While no appearance is known, Inlay's own look follows the device.
    public init(
        appearance: CardAppearance?, style: CardListConfiguration.InterfaceStyle,
        device: SurfaceEnvironment.ColorScheme
    ) {
        let wanted: SurfaceEnvironment.ColorScheme =
            switch style {
            case .automatic: device
            case .light: .light
            case .dark: .dark
            }
        guard let appearance else {
            theme = CardTheme()
            colorScheme = wanted
            return
        }
        if wanted == .dark, let dark = appearance.dark {
            theme = dark
            colorScheme = .dark
        } else {
            theme = appearance.light
            colorScheme = .light
        }
    }
}
