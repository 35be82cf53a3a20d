/// The replacement of `{{name}}` in texts, in one pass from left to right.
package enum VariableTemplate {
    /// Returns the text with each variable replaced by the result of `value`, which is called with its name and with
    /// whether the text begins with it. Braces without a valid name between them stay unchanged.
    package static func fill(_ template: String, _ value: (_ name: String, _ isFirst: Bool) -> String)
        -> String
    {
        guard template.utf8.contains(UInt8(ascii: "{")) else { return template }
        var filled = ""
        var rest = Substring(template).unicodeScalars
        while let open = rest.firstIndex(of: "{") {
            filled.unicodeScalars.append(contentsOf: rest[..<open])
            rest = rest[open...]
            if let (name, after) = variable(at: rest) {
                filled += value(name, open == template.unicodeScalars.startIndex)
                rest = after
            } else {
                filled.unicodeScalars.append("{")
                rest = rest.dropFirst()
            }
        }
        filled.unicodeScalars.append(contentsOf: rest)
        return filled
    }

    /// Returns the URL with percent-encoded braces of variables decoded.
    package static func withPlainBraces(_ address: String) -> String {
        address.replacing("%7B%7B", with: "{{").replacing("%7D%7D", with: "}}")
            .replacing("%7b%7b", with: "{{").replacing("%7d%7d", with: "}}")
    }

    private typealias Scalars = Substring.UnicodeScalarView

    private static func variable(at text: Scalars) -> (name: String, after: Scalars)? {
        guard text.starts(with: "{{".unicodeScalars) else { return nil }
        var inside = text.dropFirst(2)
        inside = inside.drop { $0 == " " }
        let name = inside.prefix(while: isNamePart)
        inside = inside.dropFirst(name.count).drop { $0 == " " }
        guard (1...128).contains(name.count), inside.starts(with: "}}".unicodeScalars) else { return nil }
        return (String(name), inside.dropFirst(2))
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "-" || scalar == "." || ("0"..."9").contains(scalar)
            || scalar.properties.isAlphabetic
    }
}
