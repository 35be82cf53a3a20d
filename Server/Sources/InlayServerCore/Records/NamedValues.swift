package import InlaySQL

/// Values of one row, each beside the name of its column, so that two of them cannot be exchanged unseen.
///
/// The names are literals of the source, so that no text of a request can become part of a statement.
package struct NamedValues: ExpressibleByDictionaryLiteral, Sendable {
    /// The columns in the order of the values.
    package let names: [String]
    package let values: [SQLValue]

    package init(dictionaryLiteral pairs: (StaticString, SQLValue)...) {
        names = pairs.map { "\($0.0)" }
        values = pairs.map(\.1)
    }
}

/// The effect of an `INSERT` on a row whose key exists.
package enum InsertConflict: Sendable {
    /// The statement fails.
    case failure
    /// The row in the table stays.
    case ignore(key: [String])
    /// These columns get the new row's values, and the assignments are made, which may name both rows.
    case update(key: [String], columns: [String], also: [String] = [])

    /// The end of the statement.
    fileprivate var clause: String {
        switch self {
        case .failure: return ""
        case .ignore(let key): return " ON CONFLICT (\(key.joined(separator: ", "))) DO NOTHING"
        case .update(let key, let columns, let also):
            let changes = (columns.map { "\($0) = excluded.\($0)" } + also).joined(separator: ", ")
            return " ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(changes)"
        }
    }
}

extension SQLConnection {
    /// Adds a row and returns how many rows were added or changed.
    @discardableResult
    package func insert(
        into table: StaticString, _ row: NamedValues, onConflict conflict: InsertConflict = .failure
    ) throws -> Int {
        try execute(SQLRows.insert(into: "\(table)", row.names, conflict), row.values)
    }

    /// Changes the rows that have all values of the key, and returns how many they are.
    ///
    /// `condition` is SQL without values that the rows must meet as well.
    @discardableResult
    package func update(
        _ table: StaticString, set changes: NamedValues, also assignments: [String] = [],
        where key: NamedValues,
        and condition: String? = nil
    ) throws -> Int {
        let changed = (changes.names.map { "\($0) = ?" } + assignments).joined(separator: ", ")
        let conditions = (key.names.map { "\($0) = ?" } + (condition.map { [$0] } ?? []))
            .joined(separator: " AND ")
        return try execute(
            "UPDATE \(table) SET \(changed) WHERE \(conditions)", changes.values + key.values)
    }
}

extension SQLRows {
    static func insert(into table: String, _ columns: [String], _ conflict: InsertConflict) -> String {
        let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        return "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))\(conflict.clause)"
    }
}
