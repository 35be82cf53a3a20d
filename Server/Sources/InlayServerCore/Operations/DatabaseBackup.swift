import Foundation
import InlaySQL

/// The copy of a database as it is: nothing is created, and nothing is migrated.
///
/// Operators make a backup before a newer version migrates the database, so that version's own `backup` must not
/// migrate it already.
package enum DatabaseBackup {
    /// Copies a database to a file. Throws ``ConfigurationError`` when there is no such database.
    package static func run(from database: String, to file: String) async throws {
        if let path = SQLitePath.path(of: database), !FileManager.default.fileExists(atPath: path) {
            throw ConfigurationError(
                description: "There is no database at \(path); name it with --database.")
        }
        let source = try await SQLDatabaseURL.open(database)
        defer { source.close() }
        try await source.backup(to: file)
    }
}
