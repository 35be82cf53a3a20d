import Foundation
import Logging

/// A PostgreSQL that several nodes share: some connections that read, one that writes, one that hears.
///
/// Readers see one snapshot (REPEATABLE READ). The writer works at READ COMMITTED like most
/// applications: a body that must not lose an update of another node says so in its statement
/// (`UPDATE … WHERE version = ?`), as it would have to on any engine with several nodes.
final class PostgresDatabase: SQLDatabase, GroupCommitting {
    let engine = SQLEngine.postgresql
    private let readers: ConnectionThreads<PostgresConnection>
    private let writerThread: ConnectionThreads<PostgresConnection>
    let writer: GroupWriter
    private let listener: PostgresListener
    private let hub = NotificationHub()

    /// Connects once, to find a wrong address or password now.
    init(url: String, logger: Logger, statementLimit: Duration?) async throws {
        let address = PostgresAddress(url: url, statementLimit: statementLimit)
        readers = ConnectionThreads(count: Self.readerCount, name: "inlay-read") { _ in
            PostgresConnection(address)
        }
        let writerThread = ConnectionThreads(count: 1, name: "inlay-write") { _ in PostgresConnection(address)
        }
        self.writerThread = writerThread
        listener = try PostgresListener(address: address, hub: hub, logger: logger)
        // A savepoint is a subtransaction, and a backend keeps 64 of them at hand; with more, every look at a
        // row asks the disk's copy, and the group gets slower than two groups.
        writer = GroupWriter(groupLimit: 64) { work in writerThread.submit { work($0) } }
        do {
            try await writerThread.run { try $0.connect() }
        } catch {
            stop()
            throw error
        }
    }

    deinit { stop() }

    /// Reading is mostly waiting for the server, so more than there are processors.
    private static let readerCount = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount)

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await readers.run { connection in
            try Retry.run {
                do {
                    try connection.beginReading()
                    let result = try BodyConnection.run(body, on: connection)
                    connection.endReading()
                    return result
                } catch {
                    connection.rollback()
                    throw error
                }
            }
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await writer.write(body)
    }

    func migrate(_ migrations: [SQLMigration]) async throws {
        try await writerThread.run { connection in
            try Retry.run { try Migrator(migrations: migrations).run(on: connection) }
        }
    }

    func notify(_ channel: String, _ payload: String) async throws {
        try NotificationHub.check(channel, payload)
        // Through the writer: it is sent after what was written before, and shares the commit.
        try await writer.write {
            _ = try $0.rows("SELECT pg_notify(?, ?)", [.text(channel), .text(payload)])
        }
    }

    func notifications(_ channel: String) -> AsyncStream<String> {
        defer { listener.listen(channel) }
        return hub.stream(channel)
    }

    func backup(to path: String) async throws {
        throw SQLError(
            .unsupported,
            "PostgreSQL makes its own backups: pg_dump --format=custom --file=FILE ADDRESS, and pg_restore to go back."
        )
    }

    func close() {
        stop()
        readers.wait(seconds: 60)
        writerThread.wait(seconds: 60)
    }

    private func stop() {
        writer.close()
        writerThread.stop()
        readers.stop()
        listener.close()
        hub.close()
    }
}
