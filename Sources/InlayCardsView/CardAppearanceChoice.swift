@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWire

/// The theme that a container shows, and Inlay's palette for the values that the theme does not set.
@_spi(Inlay) public struct CardAppearanceChoice: Hashable, Sendable {
    /// The theme.
    public let theme: CardTheme
    /// The palette for the values that the theme does not set.
    public let colorScheme: SurfaceEnvironment.ColorScheme

    /// Chooses dark when the style or the device asks for it and the container has a dark theme, otherwise light.
    /// Without an appearance, chooses Inlay's own theme in the scheme that the style or the device asks for.
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
