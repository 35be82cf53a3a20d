public import Foundation

/// One row of a result: values by column name.
///
/// The methods throw ``SQLError`` of kind `unexpectedResult` when the column is missing or holds another kind of value,
/// so damaged data ends one request and not the process.
public struct SQLRow: Sendable {
    private let columns: SQLColumns
    private let values: [SQLValue]

    init(columns: SQLColumns, values: [SQLValue]) {
        self.columns = columns
        self.values = values
    }

    /// The names in the order of the statement; lower case unless the statement quotes them.
    public var columnNames: [String] { columns.names }

    /// Returns the value of a column as the engine returned it.
    public func value(_ column: String) throws -> SQLValue {
        guard let index = columns.index(of: column) else {
            throw SQLError(.unexpectedResult, "The result has no column \(column), only \(columns.names).")
        }
        return values[index]
    }

    /// Returns a text; throws for `NULL`.
    public func text(_ column: String) throws -> String { try required(column, optionalText(column)) }
    /// Returns an integer; throws for `NULL`.
    public func int64(_ column: String) throws -> Int64 { try required(column, optionalInt64(column)) }
    /// Returns an integer as `Int`; throws for `NULL`.
    public func int(_ column: String) throws -> Int { Int(try int64(column)) }
    /// Returns a Boolean, which is stored as 0 or 1; throws for `NULL`.
    public func bool(_ column: String) throws -> Bool { try int64(column) != 0 }
    /// Returns a number, converting integers; throws for `NULL`.
    public func real(_ column: String) throws -> Double { try required(column, optionalReal(column)) }
    /// Returns bytes; throws for `NULL`.
    public func blob(_ column: String) throws -> Data { try required(column, optionalBlob(column)) }

    /// Returns a text, or `nil` for `NULL`.
    public func optionalText(_ column: String) throws -> String? {
        switch try value(column) {
        case .null: nil
        case .text(let text): text
        case let other: throw mismatch(column, other, "a text")
        }
    }

    /// Returns an integer, or `nil` for `NULL`.
    public func optionalInt64(_ column: String) throws -> Int64? {
        switch try value(column) {
        case .null: nil
        case .integer(let integer): integer
        case let other: throw mismatch(column, other, "an integer")
        }
    }

    /// Returns an integer as `Int`, or `nil` for `NULL`.
    public func optionalInt(_ column: String) throws -> Int? { try optionalInt64(column).map(Int.init) }

    /// Returns a number, converting integers, or `nil` for `NULL`.
    public func optionalReal(_ column: String) throws -> Double? {
        switch try value(column) {
        case .null: nil
        case .real(let number): number
        case .integer(let integer): Double(integer)
        case let other: throw mismatch(column, other, "a real")
        }
    }

    /// Returns bytes, or `nil` for `NULL`.
    public func optionalBlob(_ column: String) throws -> Data? {
        switch try value(column) {
        case .null: nil
        case .blob(let bytes): bytes
        case let other: throw mismatch(column, other, "a blob")
        }
    }

    private func required<T>(_ column: String, _ value: T?) throws -> T {
        guard let value else { throw SQLError(.unexpectedResult, "Column \(column) is NULL.") }
        return value
    }

    private func mismatch(_ column: String, _ value: SQLValue, _ wanted: String) -> SQLError {
        SQLError(.unexpectedResult, "Column \(column) holds \(value.kindName) where \(wanted) was expected.")
    }
}
