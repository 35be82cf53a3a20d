/// One connection inside a body of ``SQLDatabase/read(_:)`` or ``SQLDatabase/write(_:)``.
///
/// Valid only until the body returns. Statements are prepared once a connection and kept.
public protocol SQLConnection {
    /// Runs one statement and returns how many rows it inserted, changed or deleted.
    @discardableResult
    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int

    /// Runs one statement and returns its rows, all in memory.
    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow]

    /// A number that no other connection has which writes to the database at the same time; 0 with SQLite, where
    /// one connection writes.
    ///
    /// Rows with it in their key are changed by one writer only, so that writers do not wait for each other's locks.
    /// A connection that is opened again has another number.
    var writerNumber: Int64 { get }
}

extension SQLConnection {
    /// Runs one statement without arguments.
    @discardableResult
    public func execute(_ sql: String) throws -> Int { try execute(sql, []) }

    /// The rows of a statement without arguments.
    public func rows(_ sql: String) throws -> [SQLRow] { try rows(sql, []) }

    /// The first row, or `nil` when there is none. The statement should say `LIMIT 1` itself.
    public func row(_ sql: String, _ arguments: [SQLValue] = []) throws -> SQLRow? {
        try rows(sql, arguments).first
    }
}
