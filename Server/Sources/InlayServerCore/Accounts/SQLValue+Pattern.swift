package import InlaySQL

extension SQLValue {
    /// The pattern for `LIKE ? ESCAPE '!'` that finds what begins with a text, whatever is in it.
    package static func beginning(with text: String) -> SQLValue { .text(literal(text) + "%") }

    /// The same for what has a text anywhere in it.
    package static func containing(_ text: String) -> SQLValue { .text("%\(literal(text))%") }

    private static func literal(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { pattern, scalar in
            if "!%_".unicodeScalars.contains(scalar) { pattern.append("!") }
            pattern.unicodeScalars.append(scalar)
        }
    }
}
