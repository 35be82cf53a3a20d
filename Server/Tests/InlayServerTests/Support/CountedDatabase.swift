import InlaySQL
import NIOConcurrencyHelpers

/// A database that remembers how many rows each statement of its writes changed.
struct CountedDatabase: SQLDatabase {
    let database: any SQLDatabase
    let changed = NIOLockedValueBox<[Int]>([])

    init(_ database: any SQLDatabase) { self.database = database }

    private struct Connection: SQLConnection {
        let connection: any SQLConnection
        let changed: NIOLockedValueBox<[Int]>
        var writerNumber: Int64 { connection.writerNumber }

        func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
            let count = try connection.execute(sql, arguments)
            changed.withLockedValue { $0.append(count) }
            return count
        }

        func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
            try connection.rows(sql, arguments)
        }
    }

    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await database.write { [changed] in try body(Connection(connection: $0, changed: changed)) }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await database.read(body)
    }

    var engine: SQLEngine { database.engine }
    func migrate(_ migrations: [SQLMigration]) async throws { try await database.migrate(migrations) }
    func notify(_ channel: String, _ payload: String) async throws {
        try await database.notify(channel, payload)
    }
    func notifications(_ channel: String) -> AsyncStream<String> { database.notifications(channel) }
    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase { self }
    var forAnalytics: any SQLDatabase { self }
    func check() async throws { try await database.check() }
    func abandon() { database.abandon() }
    func backup(to path: String) async throws { try await database.backup(to: path) }
    func close() { database.close() }
}
