/// The user's text size, in the twelve steps of Dynamic Type.
@_spi(Inlay) public enum ContentSize: String, Codable, Hashable, Sendable, CaseIterable {
    case extraSmall = "XS"
    case small = "S"
    case medium = "M"
    /// The default.
    case large = "L"
    case extraLarge = "XL"
    case extraExtraLarge = "XXL"
    case extraExtraExtraLarge = "XXXL"
    case accessibilityMedium = "AX1"
    case accessibilityLarge = "AX2"
    case accessibilityExtraLarge = "AX3"
    case accessibilityExtraExtraLarge = "AX4"
    case accessibilityExtraExtraExtraLarge = "AX5"

    /// The pixels that are added to every scaling style. A theme cannot change them; it can only limit a style's size.
    public var delta: Double {
        switch self {
        case .extraSmall: -3
        case .small: -2
        case .medium: -1
        case .large: 0
        case .extraLarge: 2
        case .extraExtraLarge: 4
        case .extraExtraExtraLarge: 6
        case .accessibilityMedium: 10
        case .accessibilityLarge: 15
        case .accessibilityExtraLarge: 20
        case .accessibilityExtraExtraLarge: 25
        case .accessibilityExtraExtraExtraLarge: 30
        }
    }
}
