import Foundation
import GRDB

/// A SQLite file in WAL mode, with several connections that read and one that writes.
///
/// `synchronous` is FULL, because an acknowledged write must be durable: with NORMAL, a commit in WAL mode survives the
/// end of the process but not the loss of power. Group commit makes FULL affordable: one sync serves all bodies that
/// wait.
final class SQLiteDatabase: LanedDatabase, GroupCommitting {
    let engine = SQLEngine.sqlite
    let writer: GroupWriter
    private let writerThread: ConnectionThreads<SQLiteHandle>
    private let readers: ConnectionThreads<SQLiteHandle>
    private let analyticsReaders: ConnectionThreads<SQLiteHandle>
    /// The writers of the lanes that do not share commits.
    private let lanes = WriteLanes<GroupWriter> { $0.close() }
    private let checkpointer: SQLiteCheckpointer
    private let hub = NotificationHub()
    private let file: SQLiteFile
    private let spaceProbe: SQLiteSpaceProbe
    private var path: String { file.path }

    /// Opens or creates the file, whose folder must exist. A file that is no SQLite database is left unchanged, and so
    /// is a log without its database.
    init(path: String, statementLimit: Duration?) throws {
        try SQLiteFile.checkLog(beside: path)
        Self.makeFile(path)
        let (writing, copying, reading): (DatabaseQueue, DatabaseQueue, [DatabaseQueue])
        do {
            writing = try Self.firstConnection(path)
            // Not in `configuration`, because GRDB sets NORMAL later, when it turns WAL on.
            try writing.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            copying = try DatabaseQueue(path: path, configuration: Self.configuration(isReader: false))
            reading = try (0..<Self.readerCount + Self.analyticsReaderCount).map { _ in
                try DatabaseQueue(path: path, configuration: Self.configuration(isReader: true))
            }
        } catch let error as DatabaseError {
            throw Self.openingError(error, path)
        }
        let checkpointer = SQLiteCheckpointer(copying)
        // GRDB reads with each connection that it opens, so all of them have the files open by now.
        let file = SQLiteFile(path: path) { checkpointer.saveLog() }
        self.file = file
        let writerThread = ConnectionThreads(count: 1, name: "inlay-write") { _ in
            SQLiteHandle(writing, checkpointer: checkpointer, file: file, statementLimit: statementLimit)
        }
        self.checkpointer = checkpointer
        self.writerThread = writerThread
        spaceProbe = SQLiteSpaceProbe(file: file, writerThread: writerThread)
        readers = ConnectionThreads(count: Self.readerCount, name: "inlay-read") {
            SQLiteHandle(reading[$0], statementLimit: statementLimit)
        }
        analyticsReaders = ConnectionThreads(count: Self.analyticsReaderCount, name: "inlay-analytics") {
            SQLiteHandle(reading[Self.readerCount + $0], statementLimit: statementLimit)
        }
        writer = GroupWriter { work in writerThread.submit { $0.use(work) } }
    }

    deinit { stop() }

    /// Opens a connection that turns WAL on.
    ///
    /// When two connections do so at the same time, SQLite fails one of them at once without calling its busy handler.
    /// The random pauses prevent that several of them fail together again.
    private static func firstConnection(_ path: String) throws -> DatabaseQueue {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(secondsToWait)
        while true {
            do {
                return try DatabaseQueue(path: path, configuration: configuration(isReader: false))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && clock.now < deadline
            {
                Thread.sleep(forTimeInterval: .random(in: 0.001...0.02))
            }
        }
    }

    /// Creates a file that only its owner can read. SQLite itself would follow the umask; its log has the file's mode.
    static func makeFile(_ path: String) {
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        // An existing file is left unchanged. If the file cannot be created, SQLite reports why.
        if file >= 0 { _ = Foundation.close(file) }
    }

    /// One reader for each processor: reads are bound by the processor.
    private static let readerCount = max(2, ProcessInfo.processInfo.activeProcessorCount)

    /// Half of the processors, so that long queries leave some to other work.
    private static let analyticsReaderCount = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)

    /// The time that a connection waits for a lock.
    private static let secondsToWait: TimeInterval = 10

    private static func configuration(isReader: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(secondsToWait)
        configuration.foreignKeysEnabled = true
        configuration.readonly = isReader
        if !isReader { configuration.journalMode = .wal }
        configuration.prepareDatabase { database in
            // As in PostgreSQL. `LOWER(x) LIKE` ignores case on both engines.
            try database.execute(sql: "PRAGMA case_sensitive_like = ON")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await read(lane: "main", isForAnalytics: false, body)
    }

    /// Lanes that share commits are this database itself: SQLite has one writer for all of them.
    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase {
        guard !sharesCommits else { return self }
        let writer = lanes.lane(name, sharesCommits: false) {
            GroupWriter(maximumGroupSize: 1) { [writerThread] work in writerThread.submit { $0.use(work) } }
        }
        return LaneDatabase(engineDatabase: self, name: name, writer: writer)
    }

    var forAnalytics: any SQLDatabase {
        LaneDatabase(engineDatabase: self, name: "main", writer: writer, isForAnalytics: true)
    }

    /// All lanes share the connections that read, because SQLite's readers never wait for a lock.
    func read<T: Sendable>(
        lane: String, isForAnalytics: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try await (isForAnalytics ? analyticsReaders : readers).run { handle in
            try handle.read { try BodyConnection.run(body, on: $0) }
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await writer.write(body)
    }

    func migrate(_ migrations: [SQLMigration]) async throws {
        try await writerThread.run { handle in
            try handle.use { connection in
                try Retry.run { try Migrator(migrations: migrations).run(on: connection) }
            }
        }
    }

    func notify(_ channel: String, _ payload: String) async throws {
        try NotificationHub.check(channel, payload)
        guard hub.send(payload, on: channel) else { throw SQLError.closed }
    }

    func notifications(_ channel: String) -> AsyncStream<String> { hub.stream(channel) }

    func check() async throws {
        // On a reader, which throws after `close`: then the log is missing because SQLite removed it, and not lost.
        try await read { [file] connection in
            try file.check()
            try file.checkFreeSpace()
            _ = try connection.rows("SELECT COUNT(*) AS n FROM sqlite_master")
        }
        if file.isDiskFull { try await spaceProbe.run() }
    }

    /// Stops without ending the running statement, which its own limit ends.
    func abandon() { stop() }

    func backup(to path: String) async throws {
        // A connection opened now would create a new log in place of one that was moved.
        try file.check()
        // A connection and thread of its own, because copying a large file would occupy a reader for long.
        let source = try DatabaseQueue(path: self.path, configuration: Self.configuration(isReader: true))
        let thread = ConnectionThreads(count: 1, name: "inlay-backup") { _ in SQLiteHandle(source) }
        defer { thread.stop() }
        try await thread.run { _ in try SQLiteBackup(source: source).write(to: path) }
    }

    func close() {
        stop()
        // The writer is closed last, because the last connection checkpoints the write-ahead log.
        readers.wait(seconds: 10)
        analyticsReaders.wait(seconds: 10)
        checkpointer.close()
        writerThread.stop()
        writerThread.wait(seconds: 60)
    }

    private func stop() {
        writer.close()
        lanes.close()
        hub.close()
        readers.stop()
        analyticsReaders.stop()
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

/// A backup of a database in use, made by SQLite's backup API.
struct SQLiteBackup {
    let source: DatabaseQueue

    /// Writes the copy to a temporary file and renames it when it is complete. Never overwrites a file.
    func write(to path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw SQLError(.cannotOpen, "\(path) exists already; a backup never overwrites a file.")
        }
        let part = path + ".part-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: part) }
        SQLiteDatabase.makeFile(part)
        do {
            let copy = try DatabaseQueue(path: part)
            try source.backup(to: copy)
            // Without WAL mode, which the copy inherits, the backup is a single file that is easy to move.
            try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
            try FileManager.default.moveItem(atPath: part, toPath: path)
        } catch let error as DatabaseError {
            throw SQLError(error)
        }
    }
}
