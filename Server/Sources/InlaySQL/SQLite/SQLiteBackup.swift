import Foundation
import GRDB

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
