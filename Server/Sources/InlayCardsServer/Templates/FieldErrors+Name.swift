import InlayServerCore

extension FieldErrors {
    /// Checks a name in the Workbench: not empty, at most 128 characters, one line.
    mutating func checkName(_ name: String) {
        if name.allSatisfy(\.isWhitespace) {
            add("name", "This must not be empty.")
        } else if name.count > CardLimits.nameLength {
            add("name", "At most \(CardLimits.nameLength) characters.")
        } else if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            add("name", "One line, without control characters.")
        }
    }
}
