/// A database as the owner of a lane, or of long queries, uses it: with that lane's writer, everything else from `base`.
struct LaneDatabase: SQLDatabase, GroupCommitting {
    let base: any LaneBase
    let name: String
    let writer: GroupWriter
    var isForAnalytics = false

    var engine: SQLEngine { base.engine }
    var forAnalytics: any SQLDatabase {
        LaneDatabase(base: base, name: name, writer: writer, isForAnalytics: true)
    }

    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase {
        base.lane(name, sharesCommits: sharesCommits)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await base.read(lane: name, isForAnalytics: isForAnalytics, body)
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

/// A database with connections that read for lanes, and some that are kept for long queries.
protocol LaneBase: SQLDatabase {
    /// Reads for the owner of a lane, or on the connections that are kept for long queries.
    func read<T: Sendable>(
        lane: String, isForAnalytics: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T
}
