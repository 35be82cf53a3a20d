import Foundation
import GRDB
import GRDBSQLite

/// A time limit for statements, as PostgreSQL's `statement_timeout`.
///
/// SQLite itself has no such limit: one long scan would block the only writer, and everything that waits for it.
///
/// Unchecked: only the thread of the connection uses it; SQLite calls back on that thread.
final class SQLiteStatementLimit: @unchecked Sendable {
    private let limit: Duration
    private var end: ContinuousClock.Instant?

    /// The number of virtual machine steps between two checks of the clock, which take well under a millisecond.
    private static let steps: Int32 = 10_000

    init(_ limit: Duration) { self.limit = limit }

    /// Installs a progress handler that checks this limit, which must outlive the connection.
    func attach(to database: Database) {
        sqlite3_progress_handler(
            database.sqliteConnection, Self.steps,
            { context in
                guard let context else { return 0 }
                return Unmanaged<SQLiteStatementLimit>.fromOpaque(context).takeUnretainedValue().isOver
                    ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Runs one statement under the limit. Commits and migrations run without it.
    func run<R>(_ statement: () throws -> R) rethrows -> R {
        end = .now + limit
        defer { end = nil }
        return try statement()
    }

    private var isOver: Bool { end.map { .now > $0 } ?? false }
}
