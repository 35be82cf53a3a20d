import Foundation
@_spi(Inlay) import InlayWire

/// The tokens that the editor offers, with the defaults that Inlay uses where a theme has no value.
enum ThemeTokens {
    /// A colour that can be set.
    struct Color: Sendable {
        let token: String
        let words: String
        let light: String
        let dark: String
        /// The token of the background on which the colour must be readable; `nil` for backgrounds.
        let ground: String?
    }

    static let groups: [(name: String, colors: [Color])] = [
        (
            "Page",
            [
                Color(token: "paper", words: "Background", light: "#FBFAF7", dark: "#121415", ground: nil),
                Color(
                    token: "list-title", words: "Title", light: "#1B1D1F", dark: "#ECEBE7", ground: "paper"),
            ]
        ),
        (
            "Card",
            [
                Color(token: "card", words: "Background", light: "#FFFFFF", dark: "#1B1E20", ground: nil),
                Color(token: "card-line", words: "Border", light: "#DEDBD3", dark: "#34393C", ground: nil),
                Color(
                    token: "category", words: "Category", light: "#5F6368", dark: "#A3A8AB", ground: "card"),
                Color(
                    token: "headline", words: "Headline", light: "#1B1D1F", dark: "#ECEBE7", ground: "card"),
                Color(token: "body", words: "Text", light: "#1B1D1F", dark: "#ECEBE7", ground: "card"),
                Color(token: "link", words: "Links", light: "#0E5F66", dark: "#5CC2C4", ground: "card"),
            ]
        ),
        (
            "Buttons",
            [
                Color(token: "button", words: "Main button", light: "#0E5F66", dark: "#5CC2C4", ground: nil),
                Color(
                    token: "button-ink", words: "Primary button text", light: "#FFFFFF", dark: "#08282A",
                    ground: "button"),
                Color(
                    token: "secondary-ink", words: "Other button text", light: "#0E5F66", dark: "#5CC2C4",
                    ground: "card"),
                Color(
                    token: "accent", words: "Focus and marks", light: "#0E5F66", dark: "#5CC2C4", ground: nil),
            ]
        ),
    ]

    static let lengths: [(token: String, words: String, usual: String)] = [
        ("radius-card", "Corners of a card", "8"), ("radius-control", "Corners of buttons and fields", "6"),
        ("border-card", "Border of a card", "1"), ("card-gap", "Between cards", "12"),
        ("card-padding", "Inside a card", "16"),
    ]

    static let styles: [(style: String, words: String, size: String, weight: String)] = [
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
