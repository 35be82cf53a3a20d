@_spi(Inlay) import InlayWire

/// Harbor's card theme in light and dark.
enum HarborTheme {
    static let light = CardTheme(
        colors: ["paper": "#F6F3EC", "accent": "#0E5F66", "accent-ink": "#FFFFFF"],
        typography: typography)

    static let dark = CardTheme(
        colors: ["paper": "#101618", "accent": "#5CC2C4", "accent-ink": "#08282A"],
        typography: typography)

    private static let typography = [
        "headline": CardTypography(size: 20, weight: 650, isDynamic: true, minimumSize: 16, maximumSize: 44),
        "body": CardTypography(size: 16, isDynamic: true, minimumSize: 13, maximumSize: 40),
        "category": CardTypography(size: 13, weight: 600, isDynamic: true, minimumSize: 12, maximumSize: 32),
        "button": CardTypography(size: 16, weight: 600, isDynamic: true, minimumSize: 14, maximumSize: 36),
        "list-title": CardTypography(size: 28, weight: 700, isDynamic: true, maximumSize: 48),
    ]
}
