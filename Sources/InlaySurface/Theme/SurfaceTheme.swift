import Foundation
@_spi(Inlay) public import InlayWire

/// The conversion of a theme to CSS custom properties: only known names, and only valid values.
@_spi(Inlay) public enum SurfaceTheme {
    /// The colours that a theme may set, with the names of `tokens.css`.
    public static let colors: Set<String> = [
        "paper", "sheet", "line", "ink", "muted", "accent", "accent-ink", "warn", "danger", "good",
        "card", "card-line", "list-title", "category", "headline", "body", "link", "button", "button-ink",
        "button-line", "secondary", "secondary-ink", "secondary-line", "field", "field-line", "icon", "toast",
        "toast-ink", "empty", "footer", "navigation", "navigation-ink",
    ]

    /// The lengths that a theme may set, each with its maximum in points.
    public static let lengths: [String: Double] = [
        "radius-card": 48, "radius-control": 48, "radius-media": 48, "border-card": 8, "card-gap": 64,
        "card-padding": 64,
    ]

    /// Inlay's default typography, which scales with the user's text size.
    public static let typography: [String: CardTypography] = [
        "list-title": CardTypography(size: 28, weight: 700, isDynamic: true, maximumSize: 44),
        "title": CardTypography(size: 20, weight: 600, isDynamic: true),
        "headline": CardTypography(size: 20, weight: 600, isDynamic: true),
        "category": CardTypography(size: 12, weight: 600, isDynamic: true),
        "body": CardTypography(size: 16, weight: 400, isDynamic: true),
        "button": CardTypography(size: 16, weight: 600, isDynamic: true),
        "caption": CardTypography(size: 14, weight: 400, isDynamic: true),
    ]

    /// Returns the custom properties of a theme at a text size. Unknown names and invalid values are omitted, so
    /// Inlay's defaults apply.
    public static func properties(
        _ theme: CardTheme, contentSize: ContentSize = .large
    ) -> [String: String] {
        var style: [String: String] = [:]
        for (name, value) in theme.colors where colors.contains(name) && isColor(value) {
            style["--\(name)"] = value
        }
        for (name, value) in theme.lengths {
            guard let maximum = lengths[name], value.isFinite else { continue }
            style["--\(name)"] = pixels(min(max(value, 0), maximum))
        }
        for (name, own) in typography {
            let type = theme.typography[name] ?? own
            style["--type-\(name)-size"] = pixels(min(DynamicType.size(of: type, at: contentSize), 200))
            style["--type-\(name)-weight"] = String(min(max(type.weight, 100), 900))
            if let family = type.family.flatMap(quotedFamily) { style["--type-\(name)-family"] = family }
        }
        return style
    }

    /// Whether the text is `#RGB`, `#RRGGBB` or `#RRGGBBAA`.
    public static func isColor(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "#"), [4, 7, 9].contains(bytes.count) else { return false }
        return bytes.dropFirst().allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            default: false
            }
        }
    }

    /// Returns a font family in quotes, with the system's font as fallback; `nil` when its name has other characters
    /// than letters, digits, spaces and hyphens, or is empty or longer than 64 code points.
    static func quotedFamily(_ family: String) -> String? {
        let isName = family.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == " " || $0 == "-"
        }
        guard isName, (1...64).contains(family.unicodeScalars.count) else { return nil }
        return "\"\(family)\", system-ui, sans-serif"
    }

    /// Larger than any screen; apps express "no limit" with the greatest finite number.
    private static let maximumPixels: Double = 1_000_000

    package static func pixels(_ value: Double) -> String {
        let value = min(max(value, -maximumPixels), maximumPixels)
        return value == value.rounded() ? "\(Int(value))px" : String(format: "%.2fpx", value)
    }
}

/// The rule by which a style's size follows the user's text size.
@_spi(Inlay) public enum DynamicType {
    /// The minimum size of any text, which no theme can undercut.
    public static let minimumSize: Double = 1

    /// Returns the size of a style in pixels.
    ///
    /// A style that does not scale keeps its size. Otherwise the delta is added first, then the style's own limits
    /// apply; where they contradict each other, the minimum wins, because text that is too small is worse.
    public static func size(of style: CardTypography, at contentSize: ContentSize) -> Double {
        guard style.size.isFinite else { return minimumSize }
        guard style.isDynamic else { return max(style.size, minimumSize) }
        var size = style.size + contentSize.delta
        if let maximum = style.maximumSize, maximum.isFinite { size = min(size, maximum) }
        if let minimum = style.minimumSize, minimum.isFinite { size = max(size, minimum) }
        return max(size, minimumSize)
    }
}
