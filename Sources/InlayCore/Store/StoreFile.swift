import Foundation
import GRDB
@_spi(Inlay) import InlayWire

/// Operations on a store's files: opening, setting aside, deleting.
enum StoreFile {
    private static let companions = ["", "-wal", "-shm"]

    /// Opens the file; one that is no database is set aside and a new one is made.
    static func open(_ url: URL, at now: Timestamp) throws -> (DatabasePool, setAside: URL?) {
        do {
            return (try connect(url), nil)
        } catch let error as DatabaseError where isDamage(error) {
            let place = setAside(url, at: now)
            return (try connect(url), place)
        }
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

    /// Renames the file and its companions; the new name of the file, or `nil` when there was none.
    static func setAside(_ url: URL, at now: Timestamp) -> URL? {
        let suffix = ".damaged-\(now.microseconds)"
        var moved: URL?
        for companion in companions {
            let from = URL(fileURLWithPath: url.path + companion)
            let to = URL(fileURLWithPath: url.path + suffix + companion)
            if (try? FileManager.default.moveItem(at: from, to: to)) == nil {
                // Whatever cannot be moved must at least not be taken for part of the new file.
                try? FileManager.default.removeItem(at: from)
            } else if companion.isEmpty {
                moved = to
            }
        }
        return moved
    }

    /// Deletes the file, its companions and what was set aside of it.
    static func erase(_ url: URL) {
        let folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(url.lastPathComponent) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    private static func connect(_ url: URL) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 2
        // A pool uses WAL mode with `synchronous = NORMAL`: a commit survives any crash of the process; only a
        // power cut may undo the last transactions, and it never tears one.
        let pool = try DatabasePool(path: url.path, configuration: configuration)
        // Opening reads nothing; this reads the header, which tells a file that is no database.
        try pool.read { _ = try Int.fetchOne($0, sql: "PRAGMA schema_version") }
        return pool
    }
}
