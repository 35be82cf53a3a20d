import InlaySQL
import InlaySQLTesting

/// The databases of several nodes with the same data: with SQLite one shared object, with PostgreSQL one object for
/// each node, with its own connections.
enum Nodes {
    static func with<R>(
        _ count: Int, _ engine: SQLEngine, migrations: [SQLMigration],
        _ body: ([any SQLDatabase]) async throws -> R
    ) async throws -> R {
        try await TestDatabase.withURL(engine) { url in
            let first = try await SQLDatabaseURL.open(url)
            var all = [first]
            defer { all.forEach { $0.close() } }
            try await first.migrate(migrations)
            for _ in 1..<count {
                all.append(engine == .sqlite ? first : try await SQLDatabaseURL.open(url))
            }
            return try await body(all)
        }
    }
}

/// A connection with the number of another writer.
struct NumberedConnection: SQLConnection {
    let base: any SQLConnection
    let writerNumber: Int64

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int { try base.execute(sql, arguments) }
    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] { try base.rows(sql, arguments) }
}

extension SQLDatabase {
    /// Returns whether a connection to this PostgreSQL database waits for a lock.
    func isAnyoneWaiting() async throws -> Bool {
        try await read {
            try $0.row(
                """
                SELECT 1 AS n FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1
                """) != nil
        }
    }
}
