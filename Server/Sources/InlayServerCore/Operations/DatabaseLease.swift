import Foundation
import InlaySQL
import NIOConcurrencyHelpers

/// A lock that keeps two servers from using one SQLite file, and a restore from replacing a file that is in use.
///
/// Only PostgreSQL carries notifications between nodes; on one SQLite file the second server's apps would get none. The
/// process that holds the lease may change the schema, so it is taken before the database is opened. The system
/// releases it when the process ends, however that ends.
package final class DatabaseLease: Sendable {
    /// The number of tries, one every 50 milliseconds: a command holds the lease for less than three seconds.
    private static let maximumTries = 60

    private let file: NIOLockedValueBox<Int32?>

    /// Takes the lease, and waits a moment for a command that holds it; throws ``ConfigurationError`` when another
    /// process goes on holding it. Returns `nil` for PostgreSQL, which needs none. Tests replace `lock`, by default the
    /// system's.
    package static func take(
        _ database: String, lock: (Int32) -> Int32 = DatabaseLease.tryLock
    ) async throws -> DatabaseLease? {
        guard let path = SQLitePath.path(of: database) else { return nil }
        return try await soon {
            try DatabaseLease(path: path, lock: lock)
        } orElse: {
            ConfigurationError(
                description: """
                    Another server, or a command, uses this database. Stop it, or give this one another --database.
                    """)
        }
    }

    /// Returns the first value that `attempt` returns within three seconds of tries; then throws.
    package static func soon<Value>(
        _ attempt: () async throws -> Value?, orElse error: () -> ConfigurationError
    ) async throws -> Value {
        if let value = try await attempt() { return value }
        var left = maximumTries
        // Tries are counted, not time: on a busy machine the time might allow only one.
        for await _ in TimerSequence(every: .milliseconds(50)) {
            if let value = try await attempt() { return value }
            left -= 1
            if left == 0 { break }
        }
        throw error()
    }

    /// Takes the lease of the file at the path; `nil` when another process holds it. Throws ``ConfigurationError`` when
    /// no process could take it. Tests replace `lock`, by default the system's.
    package init?(path: String, lock: (Int32) -> Int32 = DatabaseLease.tryLock) throws {
        let path = path + ".lock"
        while true {
            let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            guard file >= 0 else {
                throw ConfigurationError(description: "The file \(path) cannot be opened.")
            }
            guard lock(file) == 0 else {
                let fault = errno
                close(file)
                if fault == EWOULDBLOCK || fault == EINTR { return nil }
                throw ConfigurationError(
                    description: "The file \(path) cannot be locked: \(String(cString: strerror(fault))).")
            }
            // When the file was removed since it was opened, another process would create and lock another one.
            if Self.isFile(file, at: path) {
                self.file = NIOLockedValueBox(file)
                return
            }
            close(file)
        }
    }

    /// Whether an open file is the one that the path names now.
    private static func isFile(_ file: Int32, at path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        guard fstat(file, &opened) == 0, stat(path, &named) == 0 else { return false }
        return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    /// Locks an open file. Returns 0 on success; otherwise `errno` has the reason.
    static func tryLock(_ file: Int32) -> Int32 { flock(file, LOCK_EX | LOCK_NB) }

    deinit { release() }

    /// Releases the lease. A second call does nothing.
    package func release() {
        file.withLockedValue { file in
            if let open = file { close(open) }
            file = nil
        }
    }
}

/// The file of a `sqlite:` address.
package enum SQLitePath {
    package static func path(of database: String) -> String? {
        database.hasPrefix("sqlite:") ? String(database.dropFirst("sqlite:".count)) : nil
    }
}
