import Foundation
import GRDB
import InlayCore

/// The hub's small memory: users with their tags, and what must outlive a version of the content.
///
/// Synchronous, because an app asks for the active user while it draws; each call takes a few
/// milliseconds at most. A damaged file is set aside and a new one started.
final class HubDatabase: Sendable {
    /// One at a time: of two that open a new file together, both would find no tables and make them, and one
    /// would fail. A facade's users and its session do open theirs together, at the app's first start.
    private static let opening = Locked(())

    private let url: URL
    private let queue = Locked<DatabaseQueue?>(nil)

    init(_ url: URL) { self.url = url }

    func read<Value>(_ body: (Database) throws -> Value) throws(HubError) -> Value {
        let queue = try open()
        do { return try queue.read(body) } catch { throw translated(error) }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws(HubError) -> Value {
        let queue = try open()
        do { return try queue.write(body) } catch { throw translated(error) }
    }

    private func open() throws(HubError) -> DatabaseQueue {
        do {
            return try queue.withLock { queue in
                if let queue { return queue }
                let opened = try Self.opening.withLock { _ in try connect() }
                queue = opened
                return opened
            }
        } catch {
            throw translated(error)
        }
    }

    private func connect() throws -> DatabaseQueue {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do { return try Self.connect(url) } catch let error as DatabaseError where Self.isDamage(error) {
            // The name can only be there already when the file was damaged twice within a microsecond.
            let aside = url.path + ".damaged-\(Int64(Date().timeIntervalSince1970 * 1_000_000))"
            try FileManager.default.moveItem(atPath: url.path, toPath: aside)
            for companion in ["-wal", "-shm", "-journal"] {
                try? FileManager.default.removeItem(atPath: url.path + companion)
            }
            return try Self.connect(url)
        }
    }

    private static func connect(_ url: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        try HubSchema.migrator.migrate(queue)
        return queue
    }

    private func translated(_ error: any Error) -> HubError {
        if let error = error as? HubError { return error }
        guard let error = error as? DatabaseError else { return .storage("\(error)") }
        // The next call opens the file anew and finds out whether it can be used.
        if Self.isDamage(error) { queue.withLock { $0 = nil } }
        return error.resultCode == .SQLITE_FULL ? .diskFull : .storage(error.message ?? "\(error)")
    }

    private static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
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
