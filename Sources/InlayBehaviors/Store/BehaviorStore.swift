import Foundation
import GRDB
import InlayCore
@_spi(Inlay) import InlayWire

/// The feature's SQL.
struct BehaviorStore: Sendable {
    let database: Store
    let device: Store

    init(_ session: SessionContext) {
        (database, device) = (session.store, session.deviceStore)
        database.adopt(BehaviorSchema.schema)
        device.adopt(BehaviorSchema.device)
    }

    // MARK: Values

    /// A value of the user by its key; one that cannot be read counts as none.
    func value<Value: Decodable & Sendable>(_ key: String, as type: Value.Type) async throws -> Value? {
        let body = try await database.read { database in
            try Data.fetchOne(
                database, sql: "SELECT value FROM behavior_value WHERE key = ?", arguments: [key])
        }
        return body.flatMap { try? JSONDecoder().decode(type, from: $0) }
    }

    static func set(_ key: String, _ value: some Encodable, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO behavior_value VALUES (?, ?)
                ON CONFLICT (key) DO UPDATE SET value = excluded.value
                """, arguments: [key, try JSONEncoder().encode(value)])
    }

    /// Notes something that happens once; throws when it had happened.
    static func setOnce(_ key: String, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO behavior_value VALUES (?, ?)", arguments: [key, Data("true".utf8)])
        guard database.changesCount == 1 else { throw AlreadyRecorded() }
    }

    /// An event that must occur once has already occurred.
    struct AlreadyRecorded: Error {}

    /// A value of the installation; made by `make` when there is none.
    func deviceValue(_ key: String, make: @escaping @Sendable () -> String) async throws -> String {
        try await device.write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO behavior_device VALUES (?, ?)", arguments: [key, make()])
            return try String.fetchOne(
                database, sql: "SELECT value FROM behavior_device WHERE key = ?", arguments: [key]) ?? make()
        }
    }

    func hasDeviceValue(_ key: String) async throws -> Bool {
        try await device.read { database in
            try String.fetchOne(
                database, sql: "SELECT value FROM behavior_device WHERE key = ?", arguments: [key]) != nil
        }
    }

    // MARK: Facts

    /// The number of these facts, which are stored when they are new.
    func id(of facts: SharedFacts) async throws -> Int64 {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let body = String(decoding: try encoder.encode(facts), as: UTF8.self)
        return try await database.write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO behavior_facts (body) VALUES (?)", arguments: [body])
            let sql = "SELECT id FROM behavior_facts WHERE body = ?"
            guard let id = try Int64.fetchOne(database, sql: sql, arguments: [body]) else {
                throw StoreError.damaged
            }
            return id
        }
    }

    func facts(_ ids: Set<Int64>) async throws -> [Int64: SharedFacts] {
        try await database.read { try Self.facts(ids, $0) }
    }

    static func facts(_ ids: Set<Int64>, _ database: Database) throws -> [Int64: SharedFacts] {
        var found: [Int64: SharedFacts] = [:]
        for id in ids {
            let body = try String.fetchOne(
                database, sql: "SELECT body FROM behavior_facts WHERE id = ?", arguments: [id])
            found[id] = try body.map { try JSONDecoder().decode(SharedFacts.self, from: Data($0.utf8)) }
        }
        return found
    }

    // MARK: Hold

    func hold(_ event: OutboxBehavior, with: (@Sendable (Database) throws -> Void)?) async throws {
        let body = event.body
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO behavior_hold VALUES (?, ?, ?)",
                arguments: [event.id, event.time.microseconds, body])
            try with?(database)
        }
    }

    /// Takes an event out of HOLD; throws when it is not there any more.
    static func release(_ id: String, in database: Database) throws {
        try database.execute(sql: "DELETE FROM behavior_hold WHERE id = ?", arguments: [id])
        guard database.changesCount == 1 else { throw AlreadyRecorded() }
    }

    func held() async throws -> [OutboxBehavior] {
        try await database.read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT id, time, body FROM behavior_hold ORDER BY time, id")
            return try rows.map { try Self.outboxBehavior($0) }
        }
    }

    static func outboxBehavior(_ row: Row) throws -> OutboxBehavior {
        try OutboxBehavior(
            id: row["id"], time: Timestamp(microseconds: row["time"]), body: row["body"])
    }
}
