import Foundation
import GRDB

/// One file, many readers, one writer (WAL).
///
/// `synchronous` is FULL: with NORMAL a commit in WAL mode survives the end of the process but not
/// the loss of power, and a write is acknowledged as durable. Group commit makes it affordable: one
/// sync for all bodies that wait.
final class SQLiteDatabase: SQLDatabase, GroupCommitting {
    let engine = SQLEngine.sqlite
    private let pool: DatabasePool
    let writer: GroupWriter
    private let hub = NotificationHub()
    private let isClosed = Guarded(false)

    /// Opens the file or makes it; its folder must exist. A file that is something else is not touched.
    init(path: String) throws {
        do {
            let pool = try DatabasePool(path: path, configuration: Self.configuration)
            // Here and not in `configuration`: GRDB sets NORMAL when it turns WAL on, later.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            self.pool = pool
        } catch let error as DatabaseError {
            throw Self.openingError(error, path)
        }
        writer = GroupWriter { [pool] work in
            pool.asyncWriteWithoutTransaction { work(SQLiteConnection(database: $0)) }
            return true
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = max(4, ProcessInfo.processInfo.activeProcessorCount)
        configuration.prepareDatabase { database in
            // As in PostgreSQL. `LOWER(x) LIKE` is the common way to ignore case.
            try database.execute(sql: "PRAGMA case_sensitive_like = ON")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try checkOpen()
        return try await withCheckedThrowingContinuation { caller in
            pool.asyncRead { database in
                caller.resume(
                    with: Result {
                        do {
                            return try BodyConnection.run(
                                body, on: SQLiteConnection(database: database.get()))
                        } catch let error as DatabaseError {
                            throw SQLError(error)
                        }
                    })
            }
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await writer.write(body)
    }

    func migrate(_ migrations: [SQLMigration]) async throws {
        try checkOpen()
        try await withCheckedThrowingContinuation { caller in
            pool.asyncWriteWithoutTransaction { database in
                let connection = SQLiteConnection(database: database)
                caller.resume(
                    with: Result {
                        try Retry.run { try Migrator(migrations: migrations).run(on: connection) }
                    })
            }
        }
    }

    func notify(_ channel: String, _ payload: String) async throws {
        try NotificationHub.check(channel, payload)
        try checkOpen()
        hub.send(payload, on: channel)
    }

    func notifications(_ channel: String) -> AsyncStream<String> { hub.stream(channel) }

    func backup(to path: String) async throws {
        try checkOpen()
        try await withCheckedThrowingContinuation { caller in
            // A queue of the system, not a cooperative thread: copying a large file blocks for long.
            DispatchQueue.global(qos: .utility).async { [pool] in
                caller.resume(with: Result { try SQLiteBackup(source: pool).write(to: path) })
            }
        }
    }

    func close() {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        guard !wasClosed else { return }
        writer.close()
        hub.close()
        // Waits for readers and the writer. What fails here has nothing left to lose: every
        // acknowledged write is on the disk.
        try? pool.close()
    }

    private func checkOpen() throws {
        if isClosed.withLock({ $0 }) { throw SQLError.closed }
    }

    private static func openingError(_ error: DatabaseError, _ path: String) -> SQLError {
        let cause = SQLError(error)
        switch cause.kind {
        case .notADatabase:
            return SQLError(
                .notADatabase, "\(path) is not a SQLite database or is damaged. It was left as it is.",
                code: cause.code)
        case .cannotOpen:
            return SQLError(
                .cannotOpen, "\(path) cannot be opened: check that its folder exists and may be written.",
                code: cause.code)
        default: return cause
        }
    }
}
