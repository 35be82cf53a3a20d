import Foundation
import GRDB
import GRDBSQLite

/// Ends a statement that runs too long, as PostgreSQL's `statement_timeout` does.
///
/// SQLite itself never gives up: one statement that looks through everything would hold the only writer, and
/// all who wait for it, for as long as it likes.
///
/// Unchecked: only the thread of the connection touches it; SQLite calls back on that thread.
final class SQLiteStatementLimit: @unchecked Sendable {
    private let limit: Duration
    private var end: ContinuousClock.Instant?

    /// Steps of SQLite's machine between two looks at the clock; they take well under a millisecond.
    private static let steps: Int32 = 10_000

    init(_ limit: Duration) { self.limit = limit }

    /// Has the statements of a connection ask this limit, which must outlive the connection.
    func watch(_ database: Database) {
        sqlite3_progress_handler(
            database.sqliteConnection, Self.steps,
            { context in
                guard let context else { return 0 }
                return Unmanaged<SQLiteStatementLimit>.fromOpaque(context).takeUnretainedValue().isOver
                    ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Counts the time of one statement. Outside of it nothing is ended: commits and migrations take their time.
    func during<R>(_ statement: () throws -> R) rethrows -> R {
        end = .now + limit
        defer { end = nil }
        return try statement()
    }

    private var isOver: Bool { end.map { .now > $0 } ?? false }
}
