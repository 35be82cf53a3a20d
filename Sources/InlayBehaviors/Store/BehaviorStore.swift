import Foundation
import GRDB
import InlayCore
@_spi(Inlay) import InlayWire

/// The storage of the feature, in the user's store and in the device's.
struct BehaviorStore: Sendable {
    let database: Store
    let device: Store
    /// Copies of this run's values, which are written into a store that replaces a lost one.
    private let copies = Locked(Copies())

    private struct Copies: Sendable {
        /// The newest facts by their row. Events that are not stored yet refer to them.
        var facts: [Int64: String] = [:]
        var deviceValues: [String: String] = [:]
    }

    private static let maximumFactsCopies = 100

    init(_ session: SessionContext) {
        (database, device) = (session.store, session.deviceStore)
        database.register(BehaviorSchema.schema)
        device.register(BehaviorSchema.device)
        database.onRenewal { [copies] database in
            for (row, body) in copies.withLock({ $0.facts }) {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO behavior_facts (id, body) VALUES (?, ?)",
                    arguments: [row, body])
            }
        }
        device.onRenewal { [copies] database in
            for (key, value) in copies.withLock({ $0.deviceValues }) {
                try Self.setDeviceValue(key, value, in: database)
            }
        }
    }

    // MARK: Values

    /// Returns a value of the user; `nil` when there is none or it cannot be read.
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

    /// Stores that an event that must occur once has occurred; throws when that is already stored.
    static func setOnce(_ key: String, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO behavior_value VALUES (?, ?)", arguments: [key, Data("true".utf8)])
        guard database.changesCount == 1 else { throw AlreadyRecorded() }
    }

    /// The error of an event that another call has already recorded or moved.
    struct AlreadyRecorded: Error {}

    /// Returns a value of the installation, and stores the value of `make` when there is none.
    func deviceValue(_ key: String, make: @escaping @Sendable () -> String) async throws -> String {
        let value = try await device.write { database in
            try Self.setDeviceValue(key, make(), in: database)
            return try String.fetchOne(
                database, sql: "SELECT value FROM behavior_device WHERE key = ?", arguments: [key]) ?? make()
        }
        copies.withLock { $0.deviceValues[key] = value }
        return value
    }

    private static func setDeviceValue(_ key: String, _ value: String, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO behavior_device VALUES (?, ?)", arguments: [key, value])
    }

    func hasDeviceValue(_ key: String) async throws -> Bool {
        let value = try await device.read { database in
            try String.fetchOne(
                database, sql: "SELECT value FROM behavior_device WHERE key = ?", arguments: [key])
        }
        if let value { copies.withLock { $0.deviceValues[key] = value } }
        return value != nil
    }

    // MARK: Facts

    /// Returns the row of these facts, which are stored when they are new.
    ///
    /// The first row of a store has a random number, so that the same number does not stand for other facts in a store
    /// that replaces this one.
    func id(of facts: SharedFacts) async throws -> Int64 {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let body = String(decoding: try encoder.encode(facts), as: UTF8.self)
        return try await database.write { [copies] database in
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO behavior_facts (id, body)
                    SELECT ifnull(max(id), abs(random() % 1000000000000000)) + 1, ? FROM behavior_facts
                    """, arguments: [body])
            let sql = "SELECT id FROM behavior_facts WHERE body = ?"
            guard let id = try Int64.fetchOne(database, sql: sql, arguments: [body]) else {
                throw StoreError.damaged
            }
            copies.withLock { copies in
                copies.facts[id] = body
                if copies.facts.count > Self.maximumFactsCopies, let oldest = copies.facts.keys.min() {
                    copies.facts[oldest] = nil
                }
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
        try await database.write { database in
            try Self.hold(event, in: database)
            try with?(database)
        }
    }

    /// Puts an event into HOLD. The row may exist, because a store that replaces a lost one gets it from memory.
    static func hold(_ event: OutboxBehavior, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO behavior_hold VALUES (?, ?, ?)",
            arguments: [event.id, event.time.microseconds, event.body])
    }

    /// Deletes an event from HOLD; throws when HOLD has no such event.
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
