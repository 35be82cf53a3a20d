/// The search for room on a disk that was full, once at a time for all who ask.
///
/// A disk that has just been full may be slow. However many load balancers ask, one thread waits for it, and no reader.
actor SQLiteRoomProof {
    /// A thread without a connection.
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

    /// Writes 256 KB and takes them back; throws `diskFull` while there is no room for them.
    ///
    /// A caller gets the result of a proof that is under way.
    func run() async throws {
        if let running { return try await running.value }
        // Ends by itself: the disk answers, or the database is closed.
        let task = Task { [file, writerThread] in try await Self.prove(file, writerThread) }
        running = task
        defer { running = nil }
        try await task.value
    }

    /// A transaction that is rolled back stays in memory, and a commit may write where the log has been before: only a
    /// file of its own takes room on the disk. The transaction finds out whether the database itself may grow.
    private static func prove(
        _ file: SQLiteFile, _ writerThread: ConnectionThreads<SQLiteHandle>
    ) async throws {
        let thread = ConnectionThreads(count: 1, name: "inlay-room") { _ in NoConnection() }
        defer { thread.stop() }
        try await thread.run { _ in try file.proveRoom() }
        try await writerThread.run { handle in
            try handle.use { connection in
                try connection.begin()
                defer { connection.rollback() }
                try connection.executeScript(
                    "CREATE TABLE inlay_room (filler BLOB); INSERT INTO inlay_room VALUES (zeroblob(262144))")
            }
        }
        file.note(isDiskFull: false)
    }
}
