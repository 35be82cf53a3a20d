/// The connection of one body, which works until the body ends or a statement fails.
///
/// PostgreSQL refuses every statement after a failed one. Without the same rule for SQLite, a body that
/// catches an error and goes on would work with SQLite only.
final class BodyConnection: SQLConnection {
    private let base: any SQLConnection
    private var failure: SQLError?

    private init(_ base: any SQLConnection) { self.base = base }

    /// Runs a body and returns its result. Throws a statement's error also when the body has caught it.
    static func run<T>(_ body: (any SQLConnection) throws -> T, on base: any SQLConnection) throws -> T {
        let connection = BodyConnection(base)
        defer {
            connection.failure = SQLError(.invalidStatement, "A connection was used after its body ended.")
        }
        let result = try body(connection)
        if let failure = connection.failure { throw failure }
        return result
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try recordingFailure { try base.execute(sql, arguments) }
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        try recordingFailure { try base.rows(sql, arguments) }
    }

    var writerNumber: Int64 { base.writerNumber }

    private func recordingFailure<T>(_ statement: () throws -> T) throws -> T {
        if let failure { throw failure }
        do {
            return try statement()
        } catch {
            failure = error as? SQLError ?? SQLError(.other, "\(error)")
            throw error
        }
    }
}
