/// A container's theme in light and, where there is one, in dark.
@_spi(Inlay) public struct CardAppearance: Codable, Hashable, Sendable {
    /// The version, which grows with every change.
    public var version: Int64
    /// The theme in light, and in dark when `dark` is absent.
    public var light: CardTheme
    /// The theme in dark; `nil` shows the light one.
    public var dark: CardTheme?

    /// An appearance with its themes.
    public init(version: Int64, light: CardTheme, dark: CardTheme? = nil) {
        self.version = version
        self.light = light
        self.dark = dark
    }
}

/// The colours, lengths and text styles of a surface.
///
/// Keys are the names of `tokens.css` without the leading dashes. Tokens that a theme does not name keep their
/// defaults.
public struct CardTheme: Codable, Hashable, Sendable {
    /// Colours by token name, for example `accent`: `#RGB`, `#RRGGBB` or `#RRGGBBAA`. Other values are ignored.
    public var colors: [String: String]
    /// Lengths in points by token name, for example `radius-card`.
    public var lengths: [String: Double]
    /// Text styles by name: `headline`, `category`, `body`, `button`, `list-title`.
    public var typography: [String: CardTypography]

    /// Creates a theme; whatever it does not name keeps Inlay's default.
    public init(
        colors: [String: String] = [:], lengths: [String: Double] = [:],
        typography: [String: CardTypography] = [:]
    ) {
        self.colors = colors
        self.lengths = lengths
        self.typography = typography
    }
}

/// A text style.
public struct CardTypography: Codable, Hashable, Sendable {
    /// The font family; `nil` for the system's.
    public var family: String?
    /// The size in pixels at the default text size.
    public var size: Double
    /// The font weight, 100 to 900.
    public var weight: Int
    /// Whether the size follows the user's text size.
    public var isDynamic: Bool
    /// The minimum size after scaling, in pixels.
    public var minimumSize: Double?
    /// The maximum size after scaling, in pixels.
    public var maximumSize: Double?

    /// A style with its size.
    public init(
        family: String? = nil, size: Double, weight: Int = 400, isDynamic: Bool = false,
        minimumSize: Double? = nil, maximumSize: Double? = nil
    ) {
        self.family = family
        self.size = size
        self.weight = weight
        self.isDynamic = isDynamic
        self.minimumSize = minimumSize
        self.maximumSize = maximumSize
    }
}
