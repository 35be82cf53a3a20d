import Foundation
import GRDB
import GRDBSQLite

/// Moves the write-ahead log into the database on a thread and connection of its own.
///
/// SQLite does this inside of a commit: every thousand pages one write waits until they are copied and
/// synced, and so do all that came after it. Here the writer only finishes what others have prepared: the
/// few pages that were written meanwhile, which lets the log start over.
final class SQLiteCheckpointer: Sendable {
    /// Pages in the log from which on they are moved; SQLite's own default.
    static let threshold = 1_000
    /// Pages from which on the writer moves them itself, because it is quicker than the thread here: 64 MB.
    private static let limit = 16_000

    private enum State {
        case idle
        case copying
        /// So many pages of the log are in the database, and synced.
        case copied(Int)
    }

    private let thread: ConnectionThreads<SQLiteHandle>
    private let state = Guarded(State.idle)

    /// A checkpointer of the database of a connection, which becomes its own.
    init(_ queue: DatabaseQueue) {
        thread = ConnectionThreads(count: 1, name: "inlay-checkpoint") { _ in SQLiteHandle(queue) }
    }

    deinit { thread.stop() }

    /// Has the commits of a connection call this checkpointer, which must outlive the connection.
    func watch(_ database: Database) {
        sqlite3_wal_hook(
            database.sqliteConnection,
            { context, connection, _, pages in
                guard let context, let connection else { return SQLITE_OK }
                let checkpointer = Unmanaged<SQLiteCheckpointer>.fromOpaque(context).takeUnretainedValue()
                checkpointer.committed(on: connection, pages: Int(pages))
                // What could not be moved now is moved later: the commit is on the disk.
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends the thread, after what it is at.
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
        case _ where pages >= Self.limit: return .finish
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
        // Closed: who closes last moves the log.
        if !isTaken { state.withLock { $0 = .idle } }
    }

    /// Copies what is in the log and waits for the disk, which SQLite itself does only when nothing was
    /// written meanwhile.
    private static func copy(_ connection: OpaquePointer) -> Int {
        let copied = checkpoint(connection)
        var file: UnsafeMutablePointer<sqlite3_file>?
        if sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file {
            _ = file.pointee.pMethods?.pointee.xSync(file, SQLITE_SYNC_NORMAL)
        }
        return copied
    }

    /// Moves what no reader needs in the log, without waiting for anybody; how many pages are in the database.
    private static func checkpoint(_ connection: OpaquePointer) -> Int {
        var copied: Int32 = 0
        sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, nil, &copied)
        return max(0, Int(copied))
    }
}
