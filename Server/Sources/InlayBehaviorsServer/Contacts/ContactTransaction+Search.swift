import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

extension ContactTransaction {
    /// Returns the contacts of a database or sub-list of which any value contains the text, sorted by id.
    func search(_ list: ContactList, text: String, after: Int64, limit: Int) throws -> [SQLRow] {
        var sql: String
        switch list.kind {
        case .contactList:
            sql = """
                SELECT r.* FROM contact_members m
                JOIN recipients r ON r.environment_id = m.environment_id AND r.id = m.recipient_id
                WHERE m.environment_id = ? AND m.list_id = ? AND r.id > ?
                """
        case .database, .table:
            sql = "SELECT r.* FROM recipients r WHERE r.environment_id = ? AND r.list_id = ? AND r.id > ?"
        }
        var arguments: [SQLValue] = [.id(environmentID), .integer(list.id), .integer(after)]
        if !text.isEmpty {
            // A number is also searched in the form in which it is shown, because its lookup key may be another.
            sql += """
                 AND EXISTS (SELECT 1 FROM recipient_values v WHERE v.environment_id = r.environment_id
                AND v.list_id = r.list_id AND v.recipient_id = r.id AND (v.folded LIKE ? ESCAPE '!'
                OR v.number IS NOT NULL AND LOWER(v.value) LIKE ? ESCAPE '!'))
                """
            let pattern = SQLValue.containing(text.lowercased().prefix(scalars: 200))
            arguments += [pattern, pattern]
        }
        return try connection.rows(sql + " ORDER BY r.id LIMIT ?", arguments + [.int(limit)])
    }

    /// Adds a contact or changes the one with the same key; throws ``ContactValue/InvalidValue``.
    func save(
        _ values: [String: String], in list: ContactList, from: Int
    ) throws -> (id: Int64, isNew: Bool) {
        let (checked, key) = try list.validated(values)
        try lock(list)
        if let id = try oldest(list, where: key) {
            try update(id, in: list, checked)
            return (id, false)
        }
        return (try insert(list, checked, from: from), true)
    }
}

extension ContactList {
    /// A column of the key with a contact's value.
    typealias KeyValue = (column: ContactColumn, text: String)

    /// Returns the values as their columns store them, and those of the key columns; throws
    /// ``ContactValue/InvalidValue``, also when a key column has no value.
    func validated(
        _ values: [String: String]
    ) throws -> (values: [(column: ContactColumn, value: ContactValue)], key: [KeyValue]) {
        let checked = try values.sorted { $0.key < $1.key }.map { name, text in
            guard let column = self.column(name) else {
                throw ContactValue.InvalidValue(reason: "there is no column \(name.prefix(scalars: 100)).")
            }
            return (column: column, value: try ContactValue(text, for: column))
        }
        let keys = keyColumns
        let given = checked.filter { entry in
            !entry.value.text.isEmpty && keys.contains { $0.key == entry.column.key }
        }
        guard given.count == keys.count else {
            throw ContactValue.InvalidValue(
                reason: "\(keys.map(\.name).joined(separator: ", ")) must have a value.")
        }
        return (checked, given.map { ($0.column, $0.value.text) })
    }
}
