import Foundation
import GRDB
@_spi(Inlay) import InlayWire

/// An open database with the identities of its files.
final class OpenStore: Sendable {
    let pool: DatabasePool
    let files: DatabaseFiles
    private let isGivenUp = Locked(false)

    init(pool: DatabasePool, files: DatabaseFiles) {
        (self.pool, self.files) = (pool, files)
    }

    /// Whether the next start will find what was committed so far.
    ///
    /// The files are checked first: once they are closed, new files may get their inode numbers.
    var isSafe: Bool { files.areInPlace && !isGivenUp.withLock { $0 } }

    /// Marks the database as replaced by another file. Must be called before it is closed.
    func giveUp() { isGivenUp.withLock { $0 = true } }
}

/// Operations on a store's files: opening, setting aside, deleting.
enum StoreFile {
    private static let companions = ["-wal", "-shm"]

    /// Opens the file and creates its folder when missing. A file that is no database is set aside and replaced by a
    /// new one.
    static func open(_ url: URL, at now: Timestamp) throws -> (OpenStore, setAside: URL?) {
        // The error is ignored, because SQLite then reports why the file cannot be created there.
        try? makeFolder(url.deletingLastPathComponent())
        do {
            return (try connect(url), nil)
        } catch let error as DatabaseError where isDamage(error) {
            let place = setAside(url, at: now)
            return (try connect(url), place)
        }
    }

    /// Makes a folder that no other account of the machine can open, and that stays out of the user's backup.
    static func makeFolder(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        #if canImport(Darwin)
            // The server can send these files again, so they do not belong in the user's backup.
            var (place, values) = (folder, URLResourceValues())
            values.isExcludedFromBackup = true
            try place.setResourceValues(values)
        #endif
    }

    /// Closes a database; an error is ignored, because every committed transaction is in its files.
    ///
    /// When the last connection closes, SQLite copies the open write-ahead log into the file. If the file itself was
    /// moved, SQLite does not, and it leaves the log that is in the old place by now as it is.
    static func close(_ open: OpenStore) {
        // Only a writing connection copies the log, and the pool closes its readers last; this closes them first.
        if !open.files.areInPlace { open.pool.releaseMemory() }
        try? open.pool.close()
    }

    /// Brings one feature's tables up to date.
    static func migrate(_ pool: DatabasePool, _ schema: StoreSchema) throws {
        var migrator = DatabaseMigrator()
        for migration in schema.migrations {
            migrator.registerMigration("\(schema.feature)/\(migration.name)") { database in
                try database.execute(sql: migration.sql)
            }
        }
        try migrator.migrate(pool)
    }

    /// Whether the file itself is broken, so that trying again cannot help.
    static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
    }

    static func translated(_ error: DatabaseError) -> StoreError {
        switch error.resultCode {
        case .SQLITE_FULL: .diskFull
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: .damaged
        default: .failed(code: error.extendedResultCode.rawValue, message: error.message ?? "")
        }
    }

    /// Renames the file and its companions; returns the file's new name, or `nil` when there was no file.
    static func setAside(_ url: URL, at now: Timestamp) -> URL? {
        let suffix = ".damaged-\(now.microseconds)"
        var moved: URL?
        for companion in [""] + companions {
            let from = URL(fileURLWithPath: url.path + companion)
            let to = URL(fileURLWithPath: url.path + suffix + companion)
            if (try? FileManager.default.moveItem(at: from, to: to)) == nil {
                // A file that cannot be moved must at least not be taken for part of the new database.
                try? FileManager.default.removeItem(at: from)
            } else if companion.isEmpty {
                moved = to
            }
        }
        return moved
    }

    /// Deletes the file, its companions and everything that was set aside under its name.
    static func erase(_ url: URL) {
        let folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(url.lastPathComponent) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    private static func connect(_ url: URL) throws -> OpenStore {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 2
        // A pool uses WAL mode with `synchronous = NORMAL`: a commit survives any crash of the process; only a
        // power cut may undo the last transactions, and it never tears one.
        let pool = try DatabasePool(path: url.path, configuration: configuration)
        // Opening reads nothing; this reads the header and fails when the file is no database.
        try pool.read { _ = try Int.fetchOne($0, sql: "PRAGMA schema_version") }
        // The log and its index are there by now, and stay as long as a connection is open.
        return OpenStore(pool: pool, files: DatabaseFiles(url, companions: companions))
    }
}
