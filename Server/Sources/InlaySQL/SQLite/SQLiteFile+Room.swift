import Foundation

extension SQLiteFile {
    /// Writes 256 KB to a file beside the database and removes it; throws `diskFull` while there is no room for them.
    func proveRoom() throws {
        // A new file each time: one of this name may be somebody else's.
        let path = "\(target)-room-\(UUID().uuidString)"
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.roomError(errno) }
        defer { _ = close(file) }
        // Without a name its room is free again when it is closed, also by the end of the process.
        unlink(path)
        // Random bytes: a file system that compresses has room for zeros at all times.
        var generator = SystemRandomNumberGenerator()
        let words = (0..<32_768).map { _ in generator.next() }
        try words.withUnsafeBytes { try Self.write($0, to: file) }
        // Some file systems find the room only now.
        guard fsync(file) == 0 else { throw Self.roomError(errno) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws {
        var rest = bytes
        while let start = rest.baseAddress, rest.count > 0 {
            let count = Foundation.write(file, start, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw roomError(errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    private static func roomError(_ code: Int32) -> SQLError {
        guard code == ENOSPC || code == EDQUOT else {
            return SQLError(
                .fileFailed,
                "A file beside the database cannot be written: \(String(cString: strerror(code))).")
        }
        return SQLError(.diskFull, "The disk has no room for another file.")
    }
}
