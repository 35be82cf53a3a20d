import Foundation
import GRDB

/// A consistent copy of a database in use, by SQLite's own backup interface.
struct SQLiteBackup {
    let source: DatabaseQueue

    /// The copy appears under its name only when it is whole; an existing file is not overwritten.
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
            // A copy of a WAL database says so in its header; as a single file it is easier to move.
            try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
            try FileManager.default.moveItem(atPath: part, toPath: path)
        } catch let error as DatabaseError {
            throw SQLError(error)
        }
    }
}
