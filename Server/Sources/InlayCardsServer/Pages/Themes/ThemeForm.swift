import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// A theme as typed. An empty field means Inlay's own look.
struct ThemeForm: Sendable {
    var name: String
    var hasDark: Bool
    /// Texts by field, for example `light.colors.accent`.
    var values: [String: String]

    init(_ record: CardThemeRecord?) {
        name = record?.name ?? ""
        hasDark = record?.dark != nil || record == nil
        values = [:]
        if let record {
            add(record.light, "light")
            if let dark = record.dark { add(dark, "dark") }
        }
    }

    init(_ fields: FormFields) {
        name = fields.trimmed("name")
        hasDark = fields.isOn("hasDark")
        values = [:]
        for field in Self.names { values[field] = fields.trimmed(field) }
        for style in ThemeTokens.styles {
            let field = "light.typography.\(style.style).isDynamic"
            values[field] = fields.isOn(field) ? "on" : ""
        }
    }

    subscript(field: String) -> String { values[field] ?? "" }

    /// Returns both looks, and the faults of fields that could not be read.
    func themes() -> (light: CardTheme, dark: CardTheme?, faults: FieldErrors) {
        var faults = FieldErrors()
        let light = theme("light", &faults)
        var dark: CardTheme?
        if hasDark {
            dark = theme("dark", &faults)
            // Light and dark mode have the same lengths and typography; the editor has one field for both.
            dark?.lengths = light.lengths
            dark?.typography = light.typography
        }
        return (light, dark, faults)
    }

    private static let names: [String] =
        ["light", "dark"].flatMap { look in ThemeTokens.all.map { "\(look).colors.\($0.token)" } }
        + ThemeTokens.lengths.map { "light.lengths.\($0.token)" }
        + ThemeTokens.styles.flatMap { style in
            ["family", "size", "weight"].map { "light.typography.\(style.style).\($0)" }
        }

    private mutating func add(_ theme: CardTheme, _ look: String) {
        for (token, color) in theme.colors { values["\(look).colors.\(token)"] = color }
        for (token, length) in theme.lengths {
            values["\(look).lengths.\(token)"] = length.decimalText
        }
        for (style, type) in theme.typography {
            let path = "\(look).typography.\(style)"
            values["\(path).family"] = type.family ?? ""
            values["\(path).size"] = type.size.decimalText
            values["\(path).weight"] = String(type.weight)
            values["\(path).isDynamic"] = type.isDynamic ? "on" : ""
        }
    }

    private func theme(_ look: String, _ faults: inout FieldErrors) -> CardTheme {
        var theme = CardTheme()
        for color in ThemeTokens.all where !self["\(look).colors.\(color.token)"].isEmpty {
            theme.colors[color.token] = self["\(look).colors.\(color.token)"]
        }
        guard look == "light" else { return theme }
        for length in ThemeTokens.lengths {
            theme.lengths[length.token] = number("light.lengths.\(length.token)", &faults)
        }
        for style in ThemeTokens.styles { theme.typography[style.style] = type(style.style, &faults) }
        return theme
    }

    private func type(_ style: String, _ faults: inout FieldErrors) -> CardTypography? {
        let path = "light.typography.\(style)", family = self["light.typography.\(style).family"]
        let size = number("\(path).size", &faults), weight = number("\(path).weight", &faults)
        guard size != nil || weight != nil || !family.isEmpty else { return nil }
        let defaults = ThemeTokens.styles.first { $0.style == style }
        return CardTypography(
            family: family.isEmpty ? nil : family, size: size ?? Double(defaults?.size ?? "16") ?? 16,
            weight: Int(exactly: (weight ?? Double(defaults?.weight ?? "400") ?? 400).rounded()) ?? 0,
            isDynamic: self["\(path).isDynamic"] == "on")
    }

    private func number(_ field: String, _ faults: inout FieldErrors) -> Double? {
        guard !self[field].isEmpty else { return nil }
        return faults.number(self[field], in: field, rule: "A number.") { $0.double }
    }
}
