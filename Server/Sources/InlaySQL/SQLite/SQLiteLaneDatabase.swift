/// A SQLite database as the owner of a lane, or of long queries, uses it.
struct SQLiteLaneDatabase: SQLDatabase, GroupCommitting {
    let base: SQLiteDatabase
    let writer: GroupWriter
    let isForAnalytics: Bool

    var engine: SQLEngine { base.engine }
    var forAnalytics: any SQLDatabase {
        SQLiteLaneDatabase(base: base, writer: writer, isForAnalytics: true)
    }

    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase {
        base.lane(name, sharesCommits: sharesCommits)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await isForAnalytics ? base.readForAnalytics(body) : base.read(body)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await writer.write(body)
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
