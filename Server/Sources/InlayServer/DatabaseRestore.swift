import Foundation
import InlayHubServer
import InlaySQL
import InlayServerCore
@_spi(Inlay) package import InlayWire
import InlayWorkbench

/// The replacement of a SQLite database by a backup, which keeps the previous database.
package enum DatabaseRestore {
    /// The result of a restore.
    package struct Outcome: Sendable {
        /// The path of the previous database; `nil` when there was none.
        package let kept: String?
        /// The content sources whose newer roots and keys were carried over, as environment and id.
        package let carriedSources: [String]
    }

    /// Checks the backup, carries newer roots and keys of content over from the previous database, then swaps the
    /// files.
    ///
    /// Nothing is changed when the file is damaged, when a server runs on the database, or when devices would
    /// refuse what comes from the restored database.
    ///
    /// - Parameter allowsLockout: Restores also when the devices of some content sources are locked out by it.
    package static func run(
        from backup: String, into database: String, allowsLockout: Bool = false, at now: Timestamp = .now()
    ) async throws -> Outcome {
        guard let target = SQLitePath.path(of: database) else {
            throw ConfigurationError(description: "PostgreSQL restores with pg_restore; see its manual.")
        }
        guard FileManager.default.isReadableFile(atPath: backup) else {
            throw ConfigurationError(
                description: "There is no file \(backup) that can be read. Nothing was changed.")
        }
        let folder = URL(fileURLWithPath: target).deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lease = try await DatabaseLease.take(database)
        defer { withExtendedLifetime(lease) {} }
        let staged = target + ".restoring"
        try remove(staged)
        let carried: [String], kept: String?
        do {
            // A database that a restore set aside, or that was never closed, has writes in its write-ahead log only.
            try FileManager.default.copyItem(atPath: backup, toPath: staged)
            if FileManager.default.fileExists(atPath: backup + "-wal") {
                try FileManager.default.copyItem(atPath: backup + "-wal", toPath: staged + "-wal")
            }
            try await check(staged)
            carried = try await RestoredContentKeys(replaced: target, staged: staged)
                .carry(allowsLockout: allowsLockout)
            try await recordRestore(now, in: staged)
            kept = try replace(target, by: staged, Int64(now.seconds))
        } catch {
            // This error says what happened. The next restore removes a copy that cannot be removed now.
            try? remove(staged)
            throw error
        }
        return Outcome(kept: kept, carriedSources: carried)
    }

    private static func check(_ path: String) async throws {
        // A large file takes longer to check than any request may.
        let database = try await SQLDatabaseURL.open("sqlite:\(path)", statementLimit: nil)
        defer { database.close() }
        let findings = try await database.read {
            try $0.rows("PRAGMA integrity_check").map { try $0.text("integrity_check") }
        }
        guard findings == ["ok"] else {
            throw ConfigurationError(
                description: "The backup is damaged: \(findings.first ?? "unreadable"). Nothing was changed.")
        }
        // The tables and not their rows: before its first start a server has keys but no operator.
        let tables = try await database.read {
            try $0.rows(
                """
                SELECT name FROM sqlite_master
                WHERE type = 'table' AND name IN ('inlay_migrations', 'operators')
                """)
        }
        guard tables.count == 2 else {
            throw ConfigurationError(
                description: "The file is not a backup of this server. Nothing was changed.")
        }
    }

    /// Records the restore, so that versions of the restored database begin above all that devices have seen.
    private static func recordRestore(_ moment: Timestamp, in path: String) async throws {
        let database = try await SQLDatabaseURL.open("sqlite:\(path)")
        defer { database.close() }
        try await database.write { connection in
            try connection.execute("CREATE TABLE IF NOT EXISTS \(VersionBase.table)")
            _ = try connection.execute(
                "INSERT INTO database_restores (restored_at) VALUES (?)", [.moment(moment)])
        }
    }

    /// Sets the previous database aside, moves the copy to its place, and returns the new path of the previous one;
    /// `nil` when there was none.
    private static func replace(_ target: String, by staged: String, _ time: Int64) throws -> String? {
        let kept = try setAside(target, time)
        do {
            try FileManager.default.moveItem(atPath: staged, toPath: target)
        } catch {
            guard let kept else { throw error }
            // Without a file at the path, the next start would create an empty database.
            try moveBack(suffixes, from: kept, to: target, after: error)
        }
        return kept
    }

    /// Sets the previous database aside and returns its new path; `nil` when there was none. Its write-ahead log goes
    /// with it: left behind, even without the database, it would be replayed into the restored one.
    private static func setAside(_ target: String, _ time: Int64) throws -> String? {
        let wasThere = FileManager.default.fileExists(atPath: target)
        var (kept, number) = ("\(target).before-restore-\(time)", 1)
        // Two restores within a second keep both.
        while ["", "-wal"].contains(where: { FileManager.default.fileExists(atPath: kept + $0) }) {
            number += 1
            kept = "\(target).before-restore-\(time)-\(number)"
        }
        try move(target, to: kept)
        return wasThere ? kept : nil
    }

    /// The endings of the names of a database's files.
    private static let suffixes = ["", "-wal", "-shm"]

    /// Moves the files of a database; after an error none is moved.
    private static func move(_ database: String, to path: String) throws {
        var moved: [String] = []
        do {
            for suffix in suffixes where FileManager.default.fileExists(atPath: database + suffix) {
                try FileManager.default.moveItem(atPath: database + suffix, toPath: path + suffix)
                moved.append(suffix)
            }
        } catch {
            try moveBack(moved, from: path, to: database, after: error)
        }
    }

    /// Moves files back after an error, and throws that error; when this fails too, throws both with the paths.
    private static func moveBack(
        _ suffixes: [String], from kept: String, to database: String, after first: any Error
    ) throws -> Never {
        do {
            for suffix in suffixes where FileManager.default.fileExists(atPath: kept + suffix) {
                try FileManager.default.moveItem(atPath: kept + suffix, toPath: database + suffix)
            }
        } catch {
            throw ConfigurationError(
                description: """
                    \(first)
                    The previous database is at \(kept) and could not be moved back to \(database): \(error)
                    """)
        }
        throw first
    }

    private static func remove(_ path: String) throws {
        for suffix in suffixes where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}
