import Foundation
import GRDB
@_spi(Inlay) import InlayWire

/// A store for values that outlive users: the clock's offset, and the user whose store is in use. A failure loses only
/// these.
struct DeviceStore: Sendable {
    let store: Store
    private let folder: URL
    /// The values of this run, which are written again into a store that began anew.
    private let values = Locked<[String: String]>([:])
    /// Whether the store began anew in this run, so that what earlier runs wrote is lost.
    private let hasBegunAnew: Locked<Bool>

    init(
        _ configuration: SessionConfiguration, clock: any SessionClock,
        report: @escaping @Sendable (StoreIncident) -> Void
    ) {
        folder = configuration.folder
        let stem = UserIdentity.deviceStem(environmentID: configuration.environmentID)
        let file = folder.appendingPathComponent(stem + ".sqlite")
        let hasBegunAnew = Locked(false)
        self.hasBegunAnew = hasBegunAnew
        store = Store(location: { file }, clock: clock) { incident in
            hasBegunAnew.withLock { $0 = true }
            report(incident)
        }
        store.register(
            StoreSchema(
                feature: "device",
                migrations: [
                    StoreMigration(
                        "1-values",
                        sql: "CREATE TABLE device_value (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
                ]))
        store.onRenewal { [values] database in
            for (key, value) in values.withLock({ $0 }) { try Self.put(key, value, in: database) }
        }
    }

    /// Returns the file of a user's store.
    func userFile(_ stem: String) -> URL { folder.appendingPathComponent(stem + ".sqlite") }

    /// Returns the server clock's lead over the device's at the end of the last run; 0 when unknown.
    func clockOffset() async -> Duration {
        let stored = try? await stored(Self.offsetKey)
        // An offset that was measured meanwhile is newer than the stored one.
        values.withLock { $0[Self.offsetKey] = $0[Self.offsetKey] ?? stored }
        return .microseconds(stored.flatMap { Int64($0) } ?? 0)
    }

    func setClockOffset(_ offset: Duration) async {
        await set(Self.offsetKey, String(offset.microseconds))
    }

    /// Returns the file stem of the user whose store was opened last and who was not logged out; throws when neither
    /// this run nor the store can tell.
    func lastUser() async throws -> String? {
        if let stem = values.withLock({ $0[Self.userKey] }) { return stem }
        let stem = try await stored(Self.userKey)
        // The lost file may have named a user.
        if stem == nil, hasBegunAnew.withLock({ $0 }) { throw StoreError.damaged }
        return stem
    }

    func setLastUser(_ stem: String?) async { await set(Self.userKey, stem) }

    private static let offsetKey = "clock-offset"
    private static let userKey = "last-user"

    private func stored(_ key: String) async throws -> String? {
        try await store.read {
            try String.fetchOne($0, sql: "SELECT value FROM device_value WHERE key = ?", arguments: [key])
        }
    }

    private func set(_ key: String, _ value: String?) async {
        values.withLock { $0[key] = value }
        try? await store.write { database in
            guard let value else {
                return try database.execute(sql: "DELETE FROM device_value WHERE key = ?", arguments: [key])
            }
            try Self.put(key, value, in: database)
        }
    }

    private static func put(_ key: String, _ value: String, in database: Database) throws {
        try database.execute(
            sql:
                "INSERT INTO device_value VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            arguments: [key, value])
    }
}
