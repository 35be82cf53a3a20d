import Foundation

/// The files of an open database, with checks that none was moved, replaced or truncated.
///
/// SQLite keeps using the files that it opened: the database, the write-ahead log with the newest writes, and the log's
/// index, by which connections find them. Writes after one of these files was moved or deleted would be acknowledged,
/// but lost at the next start. A truncated database would be read as empty.
final class SQLiteFile: Sendable {
    private struct Identity: Equatable {
        let device: UInt64
        let number: UInt64
    }

    /// One of the files. All of them stay open as long as a connection is open.
    private struct Part: Sendable {
        let path: String
        let identity: Identity?

        init(_ path: String) {
            self.path = path
            identity = SQLiteFile.status(path)?.identity
        }

        /// The name in messages.
        var name: String { URL(fileURLWithPath: path).lastPathComponent }

        /// Whether the path now leads to another file.
        var isReplaced: Bool { SQLiteFile.status(path).map { $0.identity != identity } ?? false }

        /// Returns the size of the file; throws when the file is not in place.
        func check() throws(Loss) -> Int64 {
            guard let (found, size) = SQLiteFile.status(path) else { throw .missing(name) }
            guard found == identity else { throw .replaced(name) }
            return size
        }
    }

    /// The reason why nothing may be written.
    private enum Loss: Error, Equatable {
        /// The path leads to no file. The file may be moved back.
        case missing(String)
        /// The path leads to another file.
        case replaced(String)
        case truncated(String, size: Int64)

        var isFinal: Bool { if case .missing = self { false } else { true } }

        var error: SQLError {
            switch self {
            case .missing(let name):
                SQLError(.fileLost, "\(name) was moved or deleted. Put it back, or restart the server.")
            case .replaced(let name):
                SQLError(.fileLost, "\(name) was replaced. Stop the server and put the right files in place.")
            case .truncated(let name, let size):
                SQLError(.fileLost, "\(name) was cut to \(size) bytes. Restore a backup.")
            }
        }
    }

    private struct State {
        /// The database's size at the last check. It only grows, because nothing here ever shrinks the database.
        var knownSize: Int64 = 0
        var loss: Loss?
        var isDiskFull = false
    }

    let path: String
    /// The path without symbolic links. SQLite's log is beside this file, which may be on another disk than a link to
    /// it.
    let target: String
    private let main: Part
    private let log: Part
    private let index: Part
    private let saveLog: @Sendable () -> Void
    private let state = Locked(State())

    /// The free space below which the disk counts as full.
    private static let minimumFreeBytes: UInt64 = 1 << 20

    /// Records the identities of the files of a database whose connections are open.
    ///
    /// `saveLog` is called when the log was moved or deleted: the open file can still be copied into the database.
    init(path: String, saveLog: @escaping @Sendable () -> Void) {
        self.path = path
        target = Self.resolve(path)
        (main, log, index) = (Part(path), Part(target + "-wal"), Part(target + "-shm"))
        self.saveLog = saveLog
    }

    /// Throws `fileLost` when a file is not in place, or the database has become smaller.
    ///
    /// A file that is moved back is accepted again. After a file was replaced or truncated only a restart helps,
    /// because any other change to the files in the meantime is unknown. The check is one system call for each of the
    /// three files, cheap enough for each group of writes.
    func check() throws {
        let (loss, isNew) = state.withLock { state in
            let known = state.loss
            if known?.isFinal != true { state.loss = findLoss(&state.knownSize) }
            return (state.loss, state.loss != known)
        }
        guard let loss else { return }
        // With another index, a second process may have opened the database without SQLite's locks showing it.
        if isNew, loss == .missing(log.name), !index.isReplaced { saveLog() }
        throw loss.error
    }

    private func findLoss(_ knownSize: inout Int64) -> Loss? {
        do throws(Loss) {
            let size = try main.check()
            defer { knownSize = max(knownSize, size) }
            guard size >= knownSize else { throw .truncated(main.name, size: size) }
            _ = try log.check()
            _ = try index.check()
            return nil
        } catch {
            return error
        }
    }

    /// Whether a write found the disk full, and no probe has found free space since.
    var isDiskFull: Bool { state.withLock { $0.isDiskFull } }

    /// Records whether the disk is full.
    func note(isDiskFull: Bool) { state.withLock { $0.isDiskFull = isDiskFull } }

    /// Throws `diskFull` when the disk has less than 1 MB of free space.
    func checkFreeSpace() throws {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { return }
        let freeBytes = UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
        guard freeBytes >= Self.minimumFreeBytes else {
            throw SQLError(.diskFull, "The disk has \(freeBytes) bytes left.")
        }
    }

    /// Throws `cannotOpen` when a log has no database: SQLite would delete the log, with writes that only it has.
    static func checkLog(beside path: String) throws {
        let target = resolve(path)
        guard (status(path)?.size ?? 0) == 0, let log = status(target + "-wal"), log.size > 0 else { return }
        throw SQLError(
            .cannotOpen,
            "\(target)-wal holds writes of a database that is not there. Put \(path) back, or move the log away."
        )
    }

    private static func resolve(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func status(_ path: String) -> (identity: Identity, size: Int64)? {
        var entry = stat()
        guard stat(path, &entry) == 0 else { return nil }
        let identity = Identity(device: UInt64(entry.st_dev), number: UInt64(entry.st_ino))
        return (identity, Int64(entry.st_size))
    }
}
