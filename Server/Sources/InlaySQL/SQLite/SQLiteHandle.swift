import Foundation
import GRDB

/// One of GRDB's connections on the thread that owns it.
final class SQLiteHandle: ThreadConnection, @unchecked Sendable {
    // Unchecked: only the thread of `ConnectionThreads` that made it ever touches it.
    private let queue: DatabaseQueue
    private var schemaVersion: Int?
    private let checkpointer: SQLiteCheckpointer?
    private let file: SQLiteFile?
    private let limit: SQLiteStatementLimit?

    /// With a checkpointer, the connection's commits call it; with a file, its transactions that write begin only
    /// while the file is in its place; with a limit, a statement that takes longer ends.
    init(
        _ queue: DatabaseQueue, checkpointer: SQLiteCheckpointer? = nil, file: SQLiteFile? = nil,
        statementLimit: Duration? = nil
    ) {
        self.queue = queue
        self.file = file
        self.checkpointer = checkpointer
        let limit = statementLimit.map { SQLiteStatementLimit($0) }
        self.limit = limit
        queue.writeWithoutTransaction { database in
            checkpointer?.watch(database)
            limit?.watch(database)
        }
    }

    func use<R>(_ body: (SQLiteConnection) throws -> R) rethrows -> R {
        try queue.writeWithoutTransaction {
            try body(SQLiteConnection(database: $0, file: file, limit: limit))
        }
    }

    /// Runs a body on one snapshot.
    func read<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        try use { connection in
            try connection.beginReading()
            defer { connection.rollback() }
            try forgetStatementsOfOldSchema(connection)
            return try body(connection)
        }
    }

    /// Every acknowledged write is on the disk, so what fails here has nothing left to lose.
    func close() { try? queue.close() }

    /// SQLite prepares again by itself when another connection changed the schema, but GRDB keeps the
    /// column names that a statement had.
    private func forgetStatementsOfOldSchema(_ connection: SQLiteConnection) throws {
        let version = try connection.schemaVersion()
        guard version != schemaVersion else { return }
        // Preparing alone trusts the schema that SQLite has in memory; running a statement looks again.
        _ = try connection.rows("SELECT COUNT(*) FROM sqlite_master", [])
        connection.database.clearSchemaCache()
        schemaVersion = version
    }
}
