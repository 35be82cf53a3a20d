import Foundation
import InlaySQL

/// Copies a database as it is: nothing is made, and nothing is migrated.
///
/// A backup is what an operator takes before a newer program migrates; that program's own `backup` must not
/// have done so already.
package enum DatabaseBackup {
    /// Throws ``ConfigurationError`` when there is no such database.
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
