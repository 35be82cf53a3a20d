/// A database in front of another one, to which it forwards every call that it does not implement itself.
///
/// ``SQLDatabase/write(_:)``, ``SQLDatabase/lane(_:sharesCommits:)`` and ``SQLDatabase/forAnalytics`` have no default:
/// forwarded unchanged, they would bypass the database in front.
package protocol ForwardingDatabase: SQLDatabase {
    var base: any SQLDatabase { get }
}

extension ForwardingDatabase {
    package var engine: SQLEngine { base.engine }

    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T { try await base.read(body) }

    package func migrate(_ migrations: [SQLMigration]) async throws { try await base.migrate(migrations) }

    package func notify(_ channel: String, _ payload: String) async throws {
        try await base.notify(channel, payload)
    }

    package func notifications(_ channel: String) -> AsyncStream<String> { base.notifications(channel) }
    package func check() async throws { try await base.check() }
    package func backup(to path: String) async throws { try await base.backup(to: path) }
    package func abandon() { base.abandon() }
    package func close() { base.close() }
}
