import Foundation
import GRDB
import GRDBSQLite

/// A background checkpointer that copies the write-ahead log into the database on a thread and connection of its own.
///
/// SQLite itself checkpoints inside a commit: every thousand pages one write, and all writes after it, wait until the
/// pages are copied and synced. Here the writer copies only the few pages that were written in the meantime, after
/// which the log can start over.
final class SQLiteCheckpointer: Sendable {
    /// The number of pages in the log at which a checkpoint starts; SQLite's own default.
    static let threshold = 1_000
    /// The number of pages (64 MB) at which the writer checkpoints itself, because this thread does not keep up.
    private static let writerThreshold = 16_000

    private enum State {
        case idle
        case copying
        /// This number of pages was copied into the database and synced.
        case copied(Int)
    }

    private let thread: ConnectionThreads<SQLiteHandle>
    private let state = Locked(State.idle)

    /// Makes a checkpointer that owns the connection.
    init(_ queue: DatabaseQueue) {
        thread = ConnectionThreads(count: 1, name: "inlay-checkpoint") { _ in SQLiteHandle(queue) }
    }

    deinit { thread.stop() }

    /// Installs a hook that calls this checkpointer after each commit. The checkpointer must outlive the connection.
    func attach(to database: Database) {
        sqlite3_wal_hook(
            database.sqliteConnection,
            { context, connection, _, pages in
                guard let context, let connection else { return SQLITE_OK }
                let checkpointer = Unmanaged<SQLiteCheckpointer>.fromOpaque(context).takeUnretainedValue()
                checkpointer.committed(on: connection, pages: Int(pages))
                // A failed checkpoint is repeated later: the commit itself is on the disk.
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Copies the whole log into the database from the open files, because the log's name no longer leads to it.
    ///
    /// SQLite does the same when the last connection closes, but the process may be killed before. Nothing is written
    /// to the log any more. If a reader of an older state interrupts the copy, the database would be a mix of states
    /// without the log, so the copy is repeated.
    func saveLog() {
        _ = thread.submit { handle in
            handle.use { connection in
                guard let connection = connection.database.sqliteConnection else { return }
                sqlite3_busy_timeout(connection, Self.saveMilliseconds)
                var attempts = 10
                while Self.save(connection) == SQLITE_BUSY, attempts > 1 { attempts -= 1 }
            }
        }
    }

    /// The time for which one attempt waits for readers; the limit of their statements is half of it.
    private static let saveMilliseconds: Int32 = 60_000

    private static func save(_ connection: OpaquePointer) -> Int32 {
        let result = sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_FULL, nil, nil)
        sync(connection)
        return result
    }

    /// Ends the thread after its current checkpoint.
    func close() {
        thread.stop()
        thread.wait(seconds: 60)
    }

    private enum Step { case nothing, copy, finish }

    private func committed(on connection: OpaquePointer, pages: Int) {
        guard pages >= Self.threshold else { return }
        switch state.withLock({ step(&$0, pages: pages) }) {
        case .nothing: break
        case .copy: copy()
        case .finish: _ = Self.checkpoint(connection)
        }
    }

    private func step(_ state: inout State, pages: Int) -> Step {
        switch state {
        case _ where pages >= Self.writerThreshold: return .finish
        case .copying: return .nothing
        case .copied(let count) where pages - count < Self.threshold:
            state = .idle
            return .finish
        case .idle, .copied:
            state = .copying
            return .copy
        }
    }

    private func copy() {
        let isTaken = thread.submit { [state] handle in
            let copied = handle.use { connection in
                connection.database.sqliteConnection.map { Self.copy($0) } ?? 0
            }
            state.withLock { $0 = .copied(copied) }
        }
        // After `close` the last connection checkpoints when it is closed.
        if !isTaken { state.withLock { $0 = .idle } }
    }

    /// Checkpoints, and syncs the database file, which SQLite itself does only when nothing was written in the
    /// meantime.
    ///
    /// Returns the number of copied pages.
    private static func copy(_ connection: OpaquePointer) -> Int {
        let copied = checkpoint(connection)
        sync(connection)
        return copied
    }

    private static func sync(_ connection: OpaquePointer) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        if sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file {
            _ = file.pointee.pMethods?.pointee.xSync(file, SQLITE_SYNC_NORMAL)
        }
    }

    /// Copies the pages that no reader holds in the log, without waiting, and returns the number of copied pages.
    private static func checkpoint(_ connection: OpaquePointer) -> Int {
        var copied: Int32 = 0
        sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, nil, &copied)
        return max(0, Int(copied))
    }
}
