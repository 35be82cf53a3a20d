/// A writer of one name: a connection and thread of its own, with the group commit of one node's lane.
final class PostgresLane: Sendable {
    let name: String
    let writer: GroupWriter
    let thread: ConnectionThreads<PostgresConnection>

    init(_ name: String, address: PostgresAddress, sharesCommits: Bool = true) {
        self.name = name
        let thread = ConnectionThreads(count: 1, name: "inlay-write-\(name)") { _ in
            PostgresConnection(address)
        }
        self.thread = thread
        // A savepoint is a subtransaction, and a backend keeps 64 of them at hand; with more, every look at a
        // row asks the disk's copy, and the group gets slower than two groups.
        writer = GroupWriter(groupLimit: sharesCommits ? 64 : 1) { work in thread.submit { work($0) } }
    }

    func stop() {
        writer.close()
        thread.stop()
    }
}

/// A PostgreSQL database as the owner of a lane uses it.
struct PostgresLaneDatabase: SQLDatabase, GroupCommitting {
    let base: PostgresDatabase
    let ownLane: PostgresLane
    let isForAnalytics: Bool

    var engine: SQLEngine { base.engine }
    var writer: GroupWriter { ownLane.writer }
    var forAnalytics: any SQLDatabase {
        PostgresLaneDatabase(base: base, ownLane: ownLane, isForAnalytics: true)
    }

    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase {
        base.lane(name, sharesCommits: sharesCommits)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await base.read(lane: ownLane.name, isForAnalytics: isForAnalytics, body)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await ownLane.writer.write(body)
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
