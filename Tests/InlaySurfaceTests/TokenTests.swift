import Foundation
import Testing

@_spi(Inlay) @testable import InlaySurface

/// The contrast of the colour tokens in the style sheet, as the visual design requires it.
@Suite struct TokenTests {
    private func palettes() throws -> (
        light: [String: String], dark: [String: String], device: [String: String]
    ) {
        let css = String(
            decoding: try #require(SurfaceAssets.engine.data(named: "tokens.css")), as: UTF8.self)
        let blocks = css.components(separatedBy: ":root").dropFirst().map(Self.colors)
        try #require(blocks.count == 3)
        return (blocks[0], blocks[1], blocks[2])
    }

    @Test func `the dark palette is the same by choice and by the device's setting`() throws {
        let (light, dark, device) = try palettes()
        #expect(dark == device)
        #expect(Set(light.keys) == Set(dark.keys))
    }

    @Test(arguments: ["ink", "muted", "accent", "warn", "danger", "good"])
    func `text in each colour has enough contrast on each background, light and dark`(name: String) throws {
        let (light, dark, _) = try palettes()
        for palette in [light, dark] {
            for ground in ["paper", "sheet"] {
                let ratio = try Self.contrast(#require(palette[name]), #require(palette[ground]))
                #expect(ratio >= 4.5, "\(name) on \(ground): \(ratio)")
            }
        }
    }

    @Test(arguments: [("accent-ink", "accent"), ("paper", "ink"), ("ink", "well")])
    func `text on a filled control, a toast or a notice has enough contrast`(pair: (String, String)) throws {
        let (light, dark, _) = try palettes()
        for palette in [light, dark] {
            #expect(try Self.contrast(#require(palette[pair.0]), #require(palette[pair.1])) >= 4.5)
        }
    }

    private static func colors(_ block: String) -> [String: String] {
        var colors: [String: String] = [:]
        for line in block.split(separator: "\n") {
            let parts = line.split(separator: ":").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " ;"))
            }
            guard parts.count == 2, parts[0].hasPrefix("--"), SurfaceTheme.isColor(parts[1]) else { continue }
            colors[String(parts[0].dropFirst(2))] = parts[1]
        }
        return colors
    }

    /// Returns the contrast ratio of WCAG 2.
    private static func contrast(_ first: String, _ second: String) throws -> Double {
        let (one, other) = (try luminance(first), try luminance(second))
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    private static func luminance(_ hex: String) throws -> Double {
        // The forms with 3 and 8 digits have other channels.
        try #require(hex.utf8.count == 7, "\(hex)")
        let value = try #require(Int(hex.dropFirst(), radix: 16))
        let channels = [16, 8, 0].map { Double((value >> $0) & 255) / 255 }
        let linear = channels.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
