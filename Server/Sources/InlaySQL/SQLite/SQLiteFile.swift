import Foundation

/// The file of an open database, with checks that it was not moved, replaced or truncated.
///
/// SQLite keeps writing to the file that it opened. Writes to a file that was moved or deleted would be acknowledged
/// and be lost with the next start. A truncated file would be read as empty.
final class SQLiteFile: Sendable {
    private struct Identity: Equatable {
        let device: UInt64
        let number: UInt64
    }

    let path: String
    /// The path without symbolic links. SQLite's log is beside this file, which may be on another disk than the link.
    let target: String
    private let identity: Identity?
    /// The size at the last check. It only grows, because nothing here ever shrinks the database.
    private let knownSize = Locked(Int64(0))
    private let isFull = Locked(false)

    /// The free space below which the disk counts as full.
    private static let minimumFreeBytes: UInt64 = 1 << 20

    /// Remembers the identity of the file at the path, which is open already.
    init(path: String) {
        self.path = path
        target = Self.resolve(path)
        identity = Self.status(path)?.identity
    }

    /// Throws `fileLost` when the path names another file now, or the file has become smaller.
    ///
    /// It is one system call, cheap enough for each group of writes.
    func check() throws {
        guard let (found, size) = Self.status(path) else {
            throw SQLError(.fileLost, "The database's file was moved or deleted.")
        }
        guard found == identity else { throw SQLError(.fileLost, "The database's file was replaced.") }
        let isTruncated = knownSize.withLock { knownSize in
            defer { knownSize = max(knownSize, size) }
            return size < knownSize
        }
        if isTruncated { throw SQLError(.fileLost, "The database's file was cut to \(size) bytes.") }
    }

    /// Whether a write found the disk full, and no probe has found free space since.
    var isDiskFull: Bool { isFull.withLock { $0 } }

    /// Records whether the disk is full.
    func note(isDiskFull: Bool) { isFull.withLock { $0 = isDiskFull } }

    /// Throws `diskFull` when the disk has less than 1 MB of free space.
    func checkFreeSpace() throws {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { return }
        let freeBytes = UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
        guard freeBytes >= Self.minimumFreeBytes else {
            throw SQLError(.diskFull, "The disk has \(freeBytes) bytes left.")
        }
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
