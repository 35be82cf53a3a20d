package import InlaySQL

extension SQLValue {
    /// Returns the pattern for `LIKE ? ESCAPE '!'` that matches values beginning with a text, whatever the text
    /// contains.
    package static func beginning(with text: String) -> SQLValue { .text(literal(text) + "%") }

    /// Returns the pattern that matches values containing a text.
    package static func containing(_ text: String) -> SQLValue { .text("%\(literal(text))%") }

    private static func literal(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { pattern, scalar in
            if "!%_".unicodeScalars.contains(scalar) { pattern.append("!") }
            pattern.unicodeScalars.append(scalar)
        }
    }
}
