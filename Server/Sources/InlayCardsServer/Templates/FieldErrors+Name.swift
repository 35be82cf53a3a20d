import InlayServerCore

extension FieldErrors {
    /// Checks a name in the Workbench: not empty, at most 128 Unicode scalars, one line.
    mutating func checkName(_ name: String) { checkLine(name, at: "name", limit: CardLimits.nameLength) }

    /// Checks a text: not empty, at most `limit` Unicode scalars, one line.
    mutating func checkLine(_ text: String, at field: String, limit: Int) {
        if text.allSatisfy(\.isWhitespace) {
            add(field, "This must not be empty.")
        } else if text.unicodeScalars.count > limit {
            add(field, "At most \(limit) characters.")
        } else if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            add(field, "One line, without control characters.")
        }
    }
}
