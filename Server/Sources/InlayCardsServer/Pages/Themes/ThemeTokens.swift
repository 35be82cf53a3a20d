import Foundation
@_spi(Inlay) import InlayWire

/// The tokens that the editor offers, with the defaults that Inlay uses where a theme has no value.
enum ThemeTokens {
    /// A colour that can be set.
    struct Color: Sendable {
        let token: String
        let label: String
        let light: String
        let dark: String
        /// The token of the background on which the colour must be readable; `nil` for backgrounds.
        let background: String?
    }

    static let groups: [(name: String, colors: [Color])] = [
        (
            "Page",
            [
                Color(
                    token: "paper", label: "Background", light: "#FBFAF7", dark: "#121415", background: nil),
                Color(
                    token: "list-title", label: "Title", light: "#1B1D1F", dark: "#ECEBE7",
                    background: "paper"),
            ]
        ),
        (
            "Card",
            [
                Color(token: "card", label: "Background", light: "#FFFFFF", dark: "#1B1E20", background: nil),
                Color(
                    token: "card-line", label: "Border", light: "#DEDBD3", dark: "#34393C", background: nil),
                Color(
                    token: "category", label: "Category", light: "#5F6368", dark: "#A3A8AB",
                    background: "card"),
                Color(
                    token: "headline", label: "Headline", light: "#1B1D1F", dark: "#ECEBE7",
                    background: "card"),
                Color(token: "body", label: "Text", light: "#1B1D1F", dark: "#ECEBE7", background: "card"),
                Color(token: "link", label: "Links", light: "#0E5F66", dark: "#5CC2C4", background: "card"),
            ]
        ),
        (
            "Buttons",
            [
                Color(
                    token: "button", label: "Main button", light: "#0E5F66", dark: "#5CC2C4", background: nil),
                Color(
                    token: "button-ink", label: "Primary button text", light: "#FFFFFF", dark: "#08282A",
                    background: "button"),
                Color(
                    token: "secondary-ink", label: "Other button text", light: "#0E5F66", dark: "#5CC2C4",
                    background: "card"),
                Color(
                    token: "accent", label: "Focus and marks", light: "#0E5F66", dark: "#5CC2C4",
                    background: nil),
            ]
        ),
    ]

    static let lengths: [(token: String, label: String, defaultValue: String)] = [
        ("radius-card", "Corners of a card", "8"), ("radius-control", "Corners of buttons and fields", "6"),
        ("border-card", "Border of a card", "1"), ("card-gap", "Between cards", "12"),
        ("card-padding", "Inside a card", "16"),
    ]

    static let styles: [(style: String, label: String, size: String, weight: String)] = [
        ("list-title", "Title", "28", "700"), ("category", "Category", "12", "600"),
        ("headline", "Headline", "20", "600"), ("body", "Text", "16", "400"),
        ("button", "Buttons", "16", "600"),
    ]

    static let all = groups.flatMap(\.colors)
}

/// The contrast of a text with its background: the ratio of WCAG 2, 1 to 21.
enum Contrast {
    /// The minimum ratio of text.
    static let enough = 4.5

    /// Returns the ratio of two colours; `nil` when one of them is not `#RGB`, `#RRGGBB` or `#RRGGBBAA`.
    static func ratio(_ first: String, _ second: String) -> Double? {
        guard let one = luminance(first), let other = luminance(second) else { return nil }
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    private static func luminance(_ color: String) -> Double? {
        guard color.hasPrefix("#") else { return nil }
        var digits = Array(color.dropFirst())
        if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
        guard digits.count == 6 || digits.count == 8 else { return nil }
        let parts = [0, 2, 4].compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
        guard parts.count == 3 else { return nil }
        let linear = parts.map { part -> Double in
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    private static func power(_ base: Double) -> Double { pow(base, 2.4) }
}
