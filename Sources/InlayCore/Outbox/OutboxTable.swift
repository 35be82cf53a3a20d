import Foundation
import GRDB
@_spi(Inlay) import InlayWire

/// The outbox's SQL.
enum OutboxTable {
    static let schema = StoreSchema(
        feature: "outbox",
        migrations: [
            StoreMigration(
                "1-items",
                sql: """
                    CREATE TABLE outbox (
                        sequence INTEGER PRIMARY KEY,
                        lane TEXT NOT NULL,
                        id TEXT NOT NULL,
                        time INTEGER NOT NULL,
                        body BLOB NOT NULL
                    ) STRICT;
                    CREATE INDEX outbox_lane ON outbox (lane);
                    """),
            StoreMigration(
                "2-tries", sql: "ALTER TABLE outbox ADD COLUMN tries INTEGER NOT NULL DEFAULT 0"),
            // The path of a lane, for sending its items while its feature is not loaded.
            StoreMigration(
                "3-paths",
                sql: """
                    CREATE TABLE outbox_path (
                        name TEXT PRIMARY KEY,
                        path TEXT NOT NULL,
                        batch_size INTEGER NOT NULL
                    ) STRICT
                    """),
        ])

    /// A lane that holds items.
    struct StoredLane: Sendable {
        let name: String
        /// `nil` when only the lane's feature can send its items.
        let path: String?
        let batchSize: Int
    }

    /// Stores the path and batch size of a lane, so that a run that does not use its feature can send its items.
    static func storePath(of lane: OutboxLane, _ database: Database) throws {
        guard let path = lane.carrier.path else { return }
        // The row usually exists unchanged; the WHERE clause then avoids a write.
        try database.execute(
            sql: """
                INSERT INTO outbox_path (name, path, batch_size) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET path = excluded.path, batch_size = excluded.batch_size
                WHERE path <> excluded.path OR batch_size <> excluded.batch_size
                """, arguments: [lane.name, path, lane.batchSize])
    }

    /// Returns every lane that holds items, in the order of their names.
    static func storedLanes(_ database: Database) throws -> [StoredLane] {
        let sql = """
            SELECT lane, path, batch_size FROM (SELECT DISTINCT lane FROM outbox)
            LEFT JOIN outbox_path ON name = lane ORDER BY lane
            """
        return try Row.fetchAll(database, sql: sql).map {
            StoredLane(name: $0[0], path: $0[1], batchSize: $0[2] ?? 1)
        }
    }

    static func insert(_ entry: OutboxWriter.Entry, into database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO outbox (lane, id, time, body) VALUES (?, ?, ?, ?)")
            .execute(arguments: [entry.lane, entry.id, entry.time.microseconds, entry.body])
    }

    /// Returns the names of the lanes that hold items, sorted.
    static func lanes(_ database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT DISTINCT lane FROM outbox ORDER BY lane")
    }

    /// Returns the number of items in a lane and the bytes of their bodies.
    static func size(of lane: String, _ database: Database) throws -> (count: Int, bytes: Int) {
        let sql = "SELECT count(*), ifnull(sum(length(body)), 0) FROM outbox WHERE lane = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [lane]) else { return (0, 0) }
        return (row[0], row[1])
    }

    /// Returns the oldest items of a lane, up to a number of items and of bytes, but at least one if there is any.
    static func oldest(
        _ lane: String, limit: Int, bytes: Int = .max, after sequence: Int64 = 0, _ database: Database
    ) throws -> [OutboxItem] {
        // The index on `lane` ends with the row id, so this order needs no sorting.
        let sql = """
            SELECT sequence, id, time, body, tries FROM outbox WHERE lane = ? AND sequence > ?
            ORDER BY sequence LIMIT ?
            """
        let rows = try Row.fetchCursor(database, sql: sql, arguments: [lane, sequence, limit])
        var (items, total) = ([OutboxItem](), 0)
        while let row = try rows.next() {
            let item = OutboxItem(
                id: row[1], sequence: row[0], time: Timestamp(microseconds: row[2]), body: row[3],
                tries: row[4])
            total += item.body.count
            guard items.isEmpty || total <= bytes else { break }
            items.append(item)
        }
        return items
    }

    /// Returns at most 500 items older than a time; the caller repeats until there are none.
    static func older(
        than time: Timestamp, _ lane: String, _ database: Database
    ) throws -> [OutboxItem] {
        // The oldest item alone usually shows that none is too old.
        guard let first = try oldest(lane, limit: 1, database).first, first.time < time else { return [] }
        return try oldest(lane, limit: 500, database).filter { $0.time < time }
    }

    /// Counts one more try of each item.
    static func spendTry(_ items: [OutboxItem], _ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE outbox SET tries = tries + 1 WHERE sequence = ? AND id = ?")
        for item in items { try statement.execute(arguments: [item.sequence, item.id]) }
    }

    /// Deletes items and returns those that were there. In a store that began anew a sequence may be another item's.
    @discardableResult
    static func delete(_ items: [OutboxItem], _ database: Database) throws -> [OutboxItem] {
        let statement = try database.cachedStatement(sql: "DELETE FROM outbox WHERE sequence = ? AND id = ?")
        return try items.filter { item in
            try statement.execute(arguments: [item.sequence, item.id])
            return database.changesCount > 0
        }
    }
}
