import Foundation

/// The file that a database was opened at, to find out whether it is still there and whole.
///
/// SQLite keeps writing to the file that it opened, wherever that is by now: writes to a file that was moved or
/// deleted would be acknowledged and be gone with the next start. A file that was cut would be read as empty.
final class SQLiteFile: Sendable {
    private struct Identity: Equatable {
        let device: UInt64
        let number: UInt64
    }

    let path: String
    /// The path without symbolic links. SQLite's log lies beside it, perhaps on another disk than a link to it.
    let target: String
    private let identity: Identity?
    /// The database's size only grows, as nothing here ever shrinks it.
    private let largest = Guarded(Int64(0))
    private let isFull = Guarded(false)

    /// Less room than this on the disk, and writes will soon find none.
    private static let minimumRoom: UInt64 = 1 << 20

    /// The file at the path, which exists and is open by now.
    init(path: String) {
        self.path = path
        target = Self.resolve(path)
        identity = Self.look(path)?.identity
    }

    /// Throws `fileLost` unless the path still leads to the file, and the file is no smaller than it was. One
    /// system call, cheap enough for each group of writes.
    func check() throws {
        guard let (found, size) = Self.look(path) else {
            throw SQLError(.fileLost, "The database's file was moved or deleted.")
        }
        guard found == identity else { throw SQLError(.fileLost, "The database's file was replaced.") }
        let isCut = largest.withLock { largest in
            defer { largest = max(largest, size) }
            return size < largest
        }
        if isCut { throw SQLError(.fileLost, "The database's file was cut to \(size) bytes.") }
    }

    /// Whether a write found no room, and none has been proven since.
    var isDiskFull: Bool { isFull.withLock { $0 } }

    /// Notes what a write said about the room on the disk.
    func note(isDiskFull: Bool) { isFull.withLock { $0 = isDiskFull } }

    /// Throws `diskFull` when the disk has hardly any room.
    func checkRoom() throws {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { return }
        let room = UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
        guard room >= Self.minimumRoom else {
            throw SQLError(.diskFull, "The disk has \(room) bytes left.")
        }
    }

    private static func resolve(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func look(_ path: String) -> (identity: Identity, size: Int64)? {
        var entry = stat()
        guard stat(path, &entry) == 0 else { return nil }
        let identity = Identity(device: UInt64(entry.st_dev), number: UInt64(entry.st_ino))
        return (identity, Int64(entry.st_size))
    }
}
