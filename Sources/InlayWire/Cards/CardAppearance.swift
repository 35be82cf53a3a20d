/// A container's theme in light and, where there is one, in dark.
@_spi(Inlay) public struct CardAppearance: Codable, Hashable, Sendable {
    /// Grows with every change.
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

/// Colours, sizes and type of a surface.
///
/// Keys are names of `tokens.css` without the leading dashes, so a theme overrides just what it names.
public struct CardTheme: Codable, Hashable, Sendable {
    /// Colours by token name, for example `accent`: `#RGB`, `#RRGGBB` or `#RRGGBBAA`. Others are ignored.
    public var colors: [String: String]
    /// Lengths in points by token name, for example `radius-card`.
    public var lengths: [String: Double]
    /// Type by style name: `headline`, `category`, `body`, `button`, `list-title`.
    public var typography: [String: CardTypography]

    /// A theme; what it does not name keeps Inlay's look.
    public init(
        colors: [String: String] = [:], lengths: [String: Double] = [:],
        typography: [String: CardTypography] = [:]
    ) {
        self.colors = colors
        self.lengths = lengths
        self.typography = typography
    }
}

/// One style of type.
public struct CardTypography: Codable, Hashable, Sendable {
    /// The font family; `nil` for the system's.
    public var family: String?
    /// The size in pixels at the default text size.
    public var size: Double
    /// 100 to 900.
    public var weight: Int
    /// Whether the size follows the user's text size.
    public var isDynamic: Bool
    /// Smallest size after scaling, in pixels.
    public var minimumSize: Double?
    /// Largest size after scaling, in pixels.
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
