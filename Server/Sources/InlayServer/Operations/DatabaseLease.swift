import Foundation
import InlaySQL

/// Keeps two servers off one SQLite file, and a restore off a file that a server uses.
///
/// News between nodes travel through PostgreSQL only; on one SQLite file the second server's apps would
/// hear nothing. The system ends the lease with the process, however that ends.
final class DatabaseLease {
    private let file: Int32

    /// Throws ``ConfigurationError`` when another process holds it. PostgreSQL needs none: `nil`.
    static func take(_ database: String) throws -> DatabaseLease? {
        guard let path = SQLitePath.path(of: database) else { return nil }
        return try DatabaseLease(path: path + ".lock")
    }

    private init(path: String) throws {
        file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw ConfigurationError(description: "The file \(path) cannot be opened.") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw ConfigurationError(
                description:
                    "Another server uses this database. Stop it, or give this one another --database.")
        }
    }

    deinit { close(file) }
}

/// The file of a `sqlite:` address.
enum SQLitePath {
    static func path(of database: String) -> String? {
        database.hasPrefix("sqlite:") ? String(database.dropFirst("sqlite:".count)) : nil
    }
}
