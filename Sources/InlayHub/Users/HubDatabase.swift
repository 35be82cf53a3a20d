import Foundation
import GRDB
import InlayCore

/// The hub's database: users with their tags, and values that must outlive a version of the content.
///
/// Synchronous, because an app asks for the active user while it draws; each call takes a few milliseconds at most. A
/// damaged file is set aside; a file that was moved, deleted or replaced while open is given up. In both cases the
/// database reports it and begins anew with a new file.
final class HubDatabase: Sendable {
    private struct Connection: Sendable {
        let queue: DatabaseQueue
        let files: DatabaseFiles
    }

    /// The error when the open file is gone: what was written to it is not safe.
    private struct FileLost: Error {}

    /// The lock for opening: two databases that open a new file together would both find no tables and create them, and
    /// one would fail. A facade's users and its session do open theirs together, at the app's first start.
    private static let opening = Locked(())

    /// The maximum number of files that one access tries, each after the file before it was lost during the access.
    private static let maximumAttempts = 3

    private let url: URL
    private let report: @Sendable (StoreIncident) -> Void
    private let connection = Locked<Connection?>(nil)

    /// Creates a database at a location; calls `report` with the reason when it begins anew.
    init(_ url: URL, report: @escaping @Sendable (StoreIncident) -> Void = { _ in }) {
        (self.url, self.report) = (url, report)
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(HubError) -> Value {
        try access { connection in
            // SQLite would go on reading an open file that has lost its name.
            guard connection.files.areInPlace else { throw FileLost() }
            return try connection.queue.read(body)
        }
    }

    /// Writes in one transaction. The body runs again when the file was damaged, or gone before the write was safe.
    func write<Value>(_ body: (Database) throws -> Value) throws(HubError) -> Value {
        try access { connection in
            guard connection.files.areInPlace else { throw FileLost() }
            let value = try connection.queue.write(body)
            guard isSafe(connection) else { throw FileLost() }
            return value
        }
    }

    private func access<Value>(_ body: (Connection) throws -> Value) throws(HubError) -> Value {
        for _ in 0..<Self.maximumAttempts {
            let connection = try open()
            do { return try body(connection) } catch {
                // A missing file causes various errors of SQLite.
                let isLost = error is FileLost || !isSafe(connection)
                guard isLost || Self.isDamage(error) else { throw translated(error) }
                giveUp(connection, isDamaged: !isLost)
            }
        }
        throw .storage("\(url.lastPathComponent) is moved, deleted or damaged while it is in use.")
    }

    /// Whether the next start will find what was written.
    ///
    /// The file is checked first: once it is closed, a new one may get its inode number.
    private func isSafe(_ used: Connection) -> Bool {
        used.files.areInPlace && connection.withLock { $0?.queue === used.queue }
    }

    /// Closes a connection for good, and sets its file aside when it is damaged. The next access opens a new one.
    private func giveUp(_ lost: Connection, isDamaged: Bool) {
        // Both locks are held, so that no access opens the damaged file again.
        let incident = connection.withLock { current -> StoreIncident? in
            // Another caller may have done so already.
            guard current?.queue === lost.queue else { return nil }
            current = nil
            return Self.opening.withLock { _ -> StoreIncident? in
                // Another database may have replaced the file already. Checked before the file is closed: a new one may
                // get its inode number.
                let isReplaced = !lost.files.areInPlace
                try? lost.queue.close()
                guard isDamaged, !isReplaced else { return .lost(url) }
                return (try? setAside()).map(StoreIncident.setAside)
            }
        }
        if let incident { report(incident) }
    }

    /// Renames the file and removes its companions; returns the file's new name.
    private func setAside() throws -> URL {
        // The name can only be there already when the file was damaged twice within a microsecond.
        let aside = url.path + ".damaged-\(Int64(Date().timeIntervalSince1970 * 1_000_000))"
        try FileManager.default.moveItem(atPath: url.path, toPath: aside)
        for companion in ["-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: url.path + companion)
        }
        return URL(fileURLWithPath: aside)
    }

    private func open() throws(HubError) -> Connection {
        var aside: URL?
        defer { if let aside { report(.setAside(aside)) } }
        do {
            return try connection.withLock { current in
                if let current { return current }
                let opened = try Self.opening.withLock { _ in try connect(&aside) }
                current = opened
                return opened
            }
        } catch {
            throw translated(error)
        }
    }

    private func connect(_ aside: inout URL?) throws -> Connection {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do { return try Self.connect(url) } catch let error where Self.isDamage(error) {
            aside = try setAside()
            return try Self.connect(url)
        }
    }

    private static func connect(_ url: URL) throws -> Connection {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        try HubSchema.migrator.migrate(queue)
        return Connection(queue: queue, files: DatabaseFiles(url))
    }

    private func translated(_ error: any Error) -> HubError {
        if let error = error as? HubError { return error }
        guard let error = error as? DatabaseError else { return .storage("\(error)") }
        return error.resultCode == .SQLITE_FULL ? .diskFull : .storage(error.message ?? "\(error)")
    }

    private static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
    }
}

/// Values of a content source that survive a change of version.
extension HubDatabase {
    func value(_ key: String, source: String) throws(HubError) -> Data? {
        try read { database in
            try Data.fetchOne(
                database, sql: "SELECT value FROM hub_value WHERE source = ? AND key = ?",
                arguments: [source, key])
        }
    }

    func set(_ key: String, _ value: Data, source: String) throws(HubError) {
        try write { database in
            try database.execute(
                sql: """
                    INSERT INTO hub_value (source, key, value) VALUES (?, ?, ?)
                    ON CONFLICT (source, key) DO UPDATE SET value = excluded.value
                    """, arguments: [source, key, value])
        }
    }
}
