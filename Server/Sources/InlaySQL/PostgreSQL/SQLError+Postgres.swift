extension SQLError {
    /// The error of a failed statement; its kind follows from PostgreSQL's SQLSTATE.
    init(_ result: PostgresResult) {
        let state = result.sqlState ?? "?????"
        let kind = result.isStalePlan ? .conflict : Self.kind(ofState: state)
        // Messages of class 22 quote the value, which is private; others name only tables, columns and constraints.
        let message =
            state.hasPrefix("22")
            ? "PostgreSQL refused a value."
            : result.field(PostgresField.message) ?? "PostgreSQL gave no message."
        self.init(kind, message, code: state)
    }

    private static func kind(ofState state: String) -> Kind {
        switch state {
        case "23505": .uniqueViolation
        case "23503": .foreignKeyViolation
        case "40001", "40P01": .conflict
        case "53100": .diskFull
        case "55P03", "57014": .timeout
        case "25006": .readOnly
        case "57P01", "57P02", "57P03", "25P03": .connectionLost
        case "XX001", "XX002": .notADatabase
        default: kind(ofClass: state.prefix(2))
        }
    }

    private static func kind(ofClass name: Substring) -> Kind {
        switch name {
        case "08": .connectionLost
        case "22": .invalidValue
        case "23": .constraintViolation
        case "42", "26": .invalidStatement
        case "53": .overloaded
        default: .other
        }
    }
}
