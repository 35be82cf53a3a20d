import InlayWire

extension Problem {
    /// An object that does not exist in the caller's environment, or not for the caller's user.
    static func noSuch(_ what: String) -> Problem {
        Problem(.notFound, status: 404, title: "There is no such \(what).")
    }

    /// A value outside its limits, by the field's name.
    static func invalid(_ field: String, _ rule: String) -> Problem {
        Problem(.invalidValue, status: 422, title: "The value of \(field) cannot be used.", detail: rule)
    }
}

extension FieldErrors {
    /// A name for people: not empty, at most 128 characters, one line.
    mutating func checkName(_ name: String) {
        if name.allSatisfy(\.isWhitespace) {
            add("name", "This must not be empty.")
        } else if name.count > CardLimits.name {
            add("name", "At most \(CardLimits.name) characters.")
        } else if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            add("name", "One line, without control characters.")
        }
    }
}
