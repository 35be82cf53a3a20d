import Foundation

/// A check whether a full disk has free space again. One check runs at a time; its result serves all callers.
///
/// A disk that was full may respond slowly. However many health checks run, one thread waits for the disk, and it
/// is never a reader's.
actor SQLiteSpaceProbe {
    /// The connection of the probe's thread, which needs none.
    private struct NoConnection: ThreadConnection {
        func close() {}
    }

    private let file: SQLiteFile
    private let writerThread: ConnectionThreads<SQLiteHandle>
    private var running: Task<Void, any Error>?

    init(file: SQLiteFile, writerThread: ConnectionThreads<SQLiteHandle>) {
        self.file = file
        self.writerThread = writerThread
    }

    /// Writes 256 KB and removes them; throws `diskFull` while there is no space for them.
    ///
    /// A call during a running probe returns that probe's result.
    func run() async throws {
        if let running { return try await running.value }
        // Ends by itself when the disk has responded or the database is closed.
        let task = Task { [file, writerThread] in try await Self.probe(file, writerThread) }
        running = task
        defer { running = nil }
        try await task.value
    }

    /// Writes a file first: a transaction that is rolled back stays in memory, and a commit may reuse the log's space,
    /// so neither proves that the disk has space. The transaction then checks that the database itself may grow.
    private static func probe(
        _ file: SQLiteFile, _ writerThread: ConnectionThreads<SQLiteHandle>
    ) async throws {
        let thread = ConnectionThreads(count: 1, name: "inlay-space") { _ in NoConnection() }
        defer { thread.stop() }
        try await thread.run { _ in try file.probeSpace() }
        try await writerThread.run { handle in
            try handle.use { connection in
                try connection.begin(until: ContinuousClock.now + WaitLimit.maximum)
                defer { connection.rollback() }
                try connection.executeScript(
                    "CREATE TABLE inlay_space (filler BLOB); INSERT INTO inlay_space VALUES (zeroblob(262144))"
                )
            }
        }
        file.note(isDiskFull: false)
    }
}

extension SQLiteFile {
    /// Writes a file of 256 KB beside the database and removes it; throws `diskFull` while there is no space for it.
    func probeSpace() throws {
        // A new name each time: an existing file of that name may belong to another process.
        let path = "\(target)-space-\(UUID().uuidString)"
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.spaceError(errno) }
        defer { _ = close(file) }
        // An unlinked file is removed when it is closed, also by the end of the process.
        unlink(path)
        // Random bytes: a file system that compresses could store zeros on a full disk.
        var generator = SystemRandomNumberGenerator()
        let words = (0..<32_768).map { _ in generator.next() }
        try words.withUnsafeBytes { try Self.write($0, to: file) }
        // Some file systems allocate the space only now.
        guard fsync(file) == 0 else { throw Self.spaceError(errno) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws {
        var rest = bytes
        while let start = rest.baseAddress, rest.count > 0 {
            let count = Foundation.write(file, start, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw spaceError(errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    private static func spaceError(_ code: Int32) -> SQLError {
        guard code == ENOSPC || code == EDQUOT else {
            return SQLError(
                .fileFailed,
                "A file beside the database cannot be written: \(String(cString: strerror(code))).")
        }
        return SQLError(.diskFull, "The disk has no space for another file.")
    }
}
