/// One connection inside a body of ``SQLDatabase/read(_:)`` or ``SQLDatabase/write(_:)``.
///
/// Valid only until the body returns. Each connection prepares a statement once and keeps it.
public protocol SQLConnection {
    /// Runs one statement and returns the number of rows that it inserted, changed or deleted.
    @discardableResult
    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int

    /// Runs one statement and returns all its rows in memory.
    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow]

    /// A number that is unique among the connections that write to the database now; 0 with SQLite, where one
    /// connection writes.
    ///
    /// A row with this number in its key is changed by one writer only, so writers do not wait for each other's
    /// locks. A reopened connection has another number.
    var writerNumber: Int64 { get }
}

extension SQLConnection {
    /// Runs one statement without arguments.
    @discardableResult
    public func execute(_ sql: String) throws -> Int { try execute(sql, []) }

    /// Runs one statement without arguments and returns its rows.
    public func rows(_ sql: String) throws -> [SQLRow] { try rows(sql, []) }

    /// Runs one statement, which should say `LIMIT 1`, and returns its first row, or `nil` when there is none.
    public func row(_ sql: String, _ arguments: [SQLValue] = []) throws -> SQLRow? {
        try rows(sql, arguments).first
    }
}
