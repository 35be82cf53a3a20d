import Foundation
import GRDB

/// A connection of GRDB on the thread that owns it.
final class SQLiteHandle: ThreadConnection, @unchecked Sendable {
    // Unchecked: only the thread of `ConnectionThreads` that made it uses it.
    private let queue: DatabaseQueue
    private var schemaVersion: Int?
    private let checkpointer: SQLiteCheckpointer?
    private let file: SQLiteFile?
    private let limit: SQLiteStatementLimit?

    /// Makes a handle whose commits call the checkpointer, whose write transactions check the file first, and whose
    /// statements end after the limit.
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
            checkpointer?.attach(to: database)
            limit?.attach(to: database)
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

    /// Closes the connection. An error is ignored, because every acknowledged write is on the disk.
    func close() { try? queue.close() }

    /// Clears GRDB's cached statements after another connection changed the schema.
    ///
    /// SQLite prepares such statements again by itself, but GRDB keeps their old column names.
    private func forgetStatementsOfOldSchema(_ connection: SQLiteConnection) throws {
        let version = try connection.schemaVersion()
        guard version != schemaVersion else { return }
        // SQLite reads the schema again when a statement runs, not when a statement is prepared.
        _ = try connection.rows("SELECT COUNT(*) FROM sqlite_master", [])
        connection.database.clearSchemaCache()
        schemaVersion = version
    }
}
