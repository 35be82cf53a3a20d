/// A SQLite database whose reads run on the connections that are kept for long queries.
struct SQLiteAnalyticsDatabase: SQLDatabase {
    let base: SQLiteDatabase

    var engine: SQLEngine { base.engine }
    var forAnalytics: any SQLDatabase { self }
    func lane(_ name: String) -> any SQLDatabase { self }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await base.readForAnalytics(body)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await base.write(body)
    }

    func migrate(_ migrations: [SQLMigration]) async throws { try await base.migrate(migrations) }
    func notify(_ channel: String, _ payload: String) async throws {
        try await base.notify(channel, payload)
    }
    func notifications(_ channel: String) -> AsyncStream<String> { base.notifications(channel) }
    func check() async throws { try await base.check() }
    func backup(to path: String) async throws { try await base.backup(to: path) }
    func abandon() { base.abandon() }
    func close() { base.close() }
}
