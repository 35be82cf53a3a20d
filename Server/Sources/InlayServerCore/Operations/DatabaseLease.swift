import Foundation
import InlaySQL
import NIOConcurrencyHelpers

/// Keeps two servers off one SQLite file, and a restore off a file that is in use.
///
/// Notifications between nodes travel through PostgreSQL only; on one SQLite file the second server's apps would
/// hear nothing. The process that holds the lease may change the schema, so it is taken before the database is
/// opened. The system ends it with the process, however that ends.
package final class DatabaseLease: Sendable {
    /// A command holds the lease for as long as it takes, which is not long: three seconds of tries.
    private static let patience = 60

    private let file: NIOLockedValueBox<Int32?>

    /// Waits a moment for a command that is at work; throws ``ConfigurationError`` when another process goes
    /// on holding it. PostgreSQL needs none: `nil`. `lock` is the system's, which tests replace.
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

    /// Returns the first value that `attempt` gives; throws when it keeps giving none.
    package static func soon<Value>(
        _ attempt: () async throws -> Value?, orElse error: () -> ConfigurationError
    ) async throws -> Value {
        if let value = try await attempt() { return value }
        var left = patience
        // So many tries and not so much time: a machine that is busy must not mean one try.
        for await _ in TimerSequence(every: .milliseconds(50)) {
            if let value = try await attempt() { return value }
            left -= 1
            if left == 0 { break }
        }
        throw error()
    }

    /// The lease of the file at the path; `nil` when another process holds it, and ``ConfigurationError`` where
    /// nobody can hold one. `lock` is the system's, which tests replace.
    package init?(path: String, lock: (Int32) -> Int32 = DatabaseLease.tryLock) throws {
        let path = path + ".lock"
        let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw ConfigurationError(description: "The file \(path) cannot be opened.") }
        guard lock(file) == 0 else {
            let fault = errno
            close(file)
            if fault == EWOULDBLOCK || fault == EINTR { return nil }
            throw ConfigurationError(
                description: "The file \(path) cannot be locked: \(String(cString: strerror(fault))).")
        }
        self.file = NIOLockedValueBox(file)
    }

    /// 0 once the open file's lock is taken; else `errno` says why it is not.
    static func tryLock(_ file: Int32) -> Int32 { flock(file, LOCK_EX | LOCK_NB) }

    deinit { release() }

    /// Lets go. A second call does nothing.
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
