import InlayServerCore
@_spi(Inlay) import InlayWire

/// The check of a theme before it is saved; it reports all faults together.
enum CardThemeCheck {
    private static let styles: Set<String> = ["headline", "category", "body", "button", "list-title"]

    static func validate(name: String, light: CardTheme, dark: CardTheme?) throws {
        var errors = FieldErrors()
        errors.checkName(name)
        check(light, "light", &errors)
        if let dark { check(dark, "dark", &errors) }
        try errors.throwIfAny()
    }

    private static func check(_ theme: CardTheme, _ field: String, _ errors: inout FieldErrors) {
        if theme.colors.count + theme.lengths.count > 200 { errors.add(field, "At most 200 tokens.") }
        for (token, color) in theme.colors.sorted(by: { $0.key < $1.key }) {
            checkToken(token, "\(field).colors", &errors)
            if !isColor(color) { errors.add("\(field).colors.\(token)", "#RGB, #RRGGBB or #RRGGBBAA.") }
        }
        for (token, length) in theme.lengths.sorted(by: { $0.key < $1.key }) {
            checkToken(token, "\(field).lengths", &errors)
            if !(0...1_000).contains(length) {
                errors.add("\(field).lengths.\(token)", "From 0 to 1,000 points.")
            }
        }
        for (style, type) in theme.typography.sorted(by: { $0.key < $1.key }) {
            let field = "\(field).typography.\(style)"
            if !styles.contains(style) {
                errors.add(field, "One of \(styles.sorted().joined(separator: ", ")).")
            }
            check(type, field, &errors)
        }
    }

    private static func check(_ type: CardTypography, _ field: String, _ errors: inout FieldErrors) {
        for (name, size) in [
            ("size", type.size), ("minimumSize", type.minimumSize), ("maximumSize", type.maximumSize),
        ] {
            if let size, !(6...200).contains(size) { errors.add("\(field).\(name)", "From 6 to 200 pixels.") }
        }
        if let minimum = type.minimumSize, let maximum = type.maximumSize, minimum > maximum {
            errors.add("\(field).maximumSize", "Less than the smallest size.")
        }
        if !(100...900).contains(type.weight) { errors.add("\(field).weight", "From 100 to 900.") }
        if let family = type.family, !isFamily(family) {
            errors.add("\(field).family", "Letters, digits, spaces and hyphens, at most 64.")
        }
    }

    private static func checkToken(_ token: String, _ field: String, _ errors: inout FieldErrors) {
        let isToken =
            (1...64).contains(token.utf8.count)
            && token.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
        if !isToken { errors.add(field, "\"\(token.prefix(scalars: 64))\" is not the name of a token.") }
    }

    // A theme's values end up in a style sheet, so nothing but hex digits may pass.
    private static func isColor(_ text: String) -> Bool {
        guard text.hasPrefix("#"), [4, 7, 9].contains(text.utf8.count) else { return false }
        return text.dropFirst().utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
        }
    }

    private static func isFamily(_ text: String) -> Bool {
        (1...64).contains(text.unicodeScalars.count)
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == " " || $0 == "-"
            }
    }
}
