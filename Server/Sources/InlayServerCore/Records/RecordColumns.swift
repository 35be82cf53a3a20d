package import InlaySQL

/// A column of a table, with the value that a record has in it.
package struct RecordColumn<Record>: Sendable {
    package let name: String
    let value: @Sendable (Record) throws -> SQLValue

    package init(_ name: String, _ value: @escaping @Sendable (Record) throws -> SQLValue) {
        self.name = name
        self.value = value
    }
}

/// The columns of a record's table, named once for the statements that write and read it.
///
/// The texts of the statements are made once, so that a connection finds its prepared statement by the same text.
package struct RecordColumns<Record>: Sendable {
    /// The columns between commas, for a `SELECT`.
    package let list: String
    private let columns: [RecordColumn<Record>]
    private let insertion: String

    package init(
        of table: String, onConflict conflict: InsertConflict = .failure, _ columns: [RecordColumn<Record>]
    ) {
        self.columns = columns
        let names = columns.map(\.name)
        list = names.joined(separator: ", ")
        insertion = SQLRows.insert(into: table, names, conflict)
    }

    /// Adds the record's row and returns how many rows were added or changed.
    @discardableResult
    package func insert(_ record: Record, in connection: any SQLConnection) throws -> Int {
        try connection.execute(insertion, columns.map { try $0.value(record) })
    }
}
