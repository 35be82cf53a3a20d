import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

/// The condition on a value of a column of the user's contact.
package struct ContactCondition: AudienceCondition {
    /// The comparison of a column's value.
    package enum Comparison: String, Hashable, Sendable, Codable, CaseIterable {
        case equals, contains, beginsWith
        /// For numbers, dates and timestamps only.
        case lessThan, greaterThan
        /// The column has any value.
        case hasValue
    }

    /// A column of a contact database, a comparison and a value.
    package struct Definition: Hashable, Sendable, Codable {
        package var list: Int64
        package var column: String
        package var comparison: Comparison
        package var value: String

        /// Creates a comparison of a column's value with a value.
        package init(list: Int64, column: String, _ comparison: Comparison, _ value: String = "") {
            self.list = list
            self.column = column
            self.comparison = comparison
            self.value = value
        }
    }

    static let kind = "contact"
    package var kind: String { Self.kind }
    package var label: String { "has as a contact" }
    package var oppositeLabel: String { "does not have as a contact" }

    package func fields(in audience: AudienceContext) throws -> [AudienceField] {
        let columns = try contacts(audience).lists().filter { $0.kind == .database }.flatMap { list in
            list.columns.map {
                AudienceField.Choice("\(list.id):\($0.name)", "\(list.name): \($0.name)")
            }
        }
        return [
            .init("column", "Column", .choice([.init("", "Choose…")] + columns)),
            .init(
                "comparison", "Compared",
                .choice(Comparison.allCases.map { .init($0.rawValue, $0.label) }),
                initial: Comparison.equals.rawValue),
            .init("value", "With"),
        ]
    }

    package func values(of contact: Definition) -> [String: String] {
        [
            "column": "\(contact.list):\(contact.column)", "comparison": contact.comparison.rawValue,
            "value": contact.value,
        ]
    }

    package func definition(from values: [String: String]) throws(FieldErrors) -> Definition {
        let parts = (values["column"] ?? "").split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let list = Int64(parts[0]),
            let comparison = Comparison(rawValue: values["comparison"] ?? "")
        else { throw FieldErrors("column", "Choose a column.") }
        return Definition(list: list, column: String(parts[1]), comparison, values["value"] ?? "")
    }

    package func users(_ contact: Definition, in audience: AudienceContext) throws -> AudienceQuery {
        guard let list = try contacts(audience).list(contact.list), list.kind == .database,
            let column = list.column(contact.column)
        else { throw FieldErrors("column", "There is no such list or column.") }
        let (comparison, arguments) = try comparison(contact, column)
        return AudienceQuery(
            from: """
                recipient_values v JOIN recipients r ON r.environment_id = v.environment_id
                    AND r.list_id = v.list_id AND r.id = v.recipient_id
                """, environment: "v.environment_id", user: "r.user_id",
            where: "v.list_id = ? AND v.column_key = ?\(comparison)",
            [.integer(list.id), .text(column.key)] + arguments)
    }

    private func contacts(_ audience: AudienceContext) -> ContactTransaction {
        ContactTransaction(
            environmentID: audience.environmentID, now: audience.now, connection: audience.connection)
    }

    private func comparison(
        _ contact: Definition, _ column: ContactColumn
    ) throws(FieldErrors) -> (String, [SQLValue]) {
        let text = contact.value.lowercased().prefix(scalars: 200)
        // Parts of a number are searched in the text as it is shown; only whole numbers are compared by value.
        let searchedText = column.type == .numeric ? "LOWER(v.value)" : "v.folded"
        switch contact.comparison {
        case .hasValue: return ("", [])
        case .contains: return (" AND \(searchedText) LIKE ? ESCAPE '!'", [.containing(text)])
        case .beginsWith: return (" AND \(searchedText) LIKE ? ESCAPE '!'", [.beginning(with: text)])
        case .equals: return (" AND v.folded = ?", [.text(try value(contact, column).folded)])
        case .lessThan, .greaterThan:
            guard let number = try value(contact, column).number else {
                throw FieldErrors("value", "\(column.name) holds neither numbers nor dates.")
            }
            let sign = contact.comparison == .lessThan ? "<" : ">"
            return (" AND v.number \(sign) ?", [.real(number)])
        }
    }

    private func value(
        _ contact: Definition, _ column: ContactColumn
    ) throws(FieldErrors) -> ContactValue {
        do {
            return try ContactValue(contact.value, for: column)
        } catch let mismatch as ContactValue.InvalidValue {
            throw FieldErrors("value", mismatch.reason)
        } catch {
            throw FieldErrors("value", "The value cannot be read.")
        }
    }
}

extension ContactCondition.Comparison {
    /// The name on screen.
    fileprivate var label: String {
        switch self {
        case .equals: "is"
        case .contains: "contains"
        case .beginsWith: "begins with"
        case .lessThan: "is less than, or before"
        case .greaterThan: "is more than, or after"
        case .hasValue: "has any value"
        }
    }
}

extension SegmentCondition {
    /// A condition on contacts.
    package init(_ contact: ContactCondition.Definition, isNot: Bool = false) {
        let definition: JSONValue = [
            "list": .integer(contact.list), "column": .string(contact.column),
            "comparison": .string(contact.comparison.rawValue), "value": .string(contact.value),
        ]
        self.init(kind: ContactCondition.kind, definition, isNot: isNot)
    }
}
