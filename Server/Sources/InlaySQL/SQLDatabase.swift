/// A database of either engine, spoken to in one SQL text.
///
/// Bodies run on threads of the engine, never on Swift's cooperative threads, so they may block.
/// A body must have no effect but through its connection: it runs again when PostgreSQL asks for a
/// retry or a connection was lost before anything was committed.
///
/// After a statement has failed the body can only throw: PostgreSQL takes no further statement in that
/// transaction, so SQLite is held to the same rule. Ask first, or use `ON CONFLICT`.
///
/// The common dialect: `?` placeholders, `ON CONFLICT`, `RETURNING`, `BIGINT` for integers, times in
/// microseconds and Booleans, `DOUBLE PRECISION`, `TEXT` (also for JSON), `BLOB`. What differs between
/// the engines is mended by ``SQLDialect`` and nowhere else.
public protocol SQLDatabase: Sendable {
    /// Which engine answers; for messages and metrics, not for branching in feature code.
    var engine: SQLEngine { get }

    /// Runs a body that only reads, on one snapshot of the data; any number at a time.
    ///
    /// A statement that writes throws ``SQLError`` of kind `readOnly`.
    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T

    /// Runs a body in a transaction and returns after the commit has reached the disk.
    ///
    /// Bodies that wait at the same time share one transaction, each in a savepoint of its own. They
    /// run one after another in the order of their calls, so a body sees what the earlier ones wrote.
    /// A body that throws is rolled back alone and its error comes out here; a failed commit fails
    /// all bodies of the group. A body that has been handed in is finished even when the task that
    /// waits for it is cancelled. Throws kind `overloaded` when 10,000 bodies wait already.
    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T

    /// Brings the schema up to date, all or nothing, while other nodes and processes wait.
    ///
    /// What has been applied is recorded with a checksum. Throws kind `migrationChanged` when recorded
    /// SQL was edited since, and `migrationUnknown` when the database was migrated by a newer program.
    func migrate(_ migrations: [SQLMigration]) async throws

    /// Tells every listener of the channel, on this node and, with PostgreSQL, on all others.
    ///
    /// Sent in the order of the writes: a listener that reads sees what was written before. Channel: at
    /// most 63 bytes; payload: at most 7,900 bytes; both without NUL. An empty payload is not allowed.
    func notify(_ channel: String, _ payload: String) async throws

    /// The payloads sent to the channel from now on; ends with ``close()`` or its consumer's task.
    ///
    /// An empty text says that some payloads may be missing (the connection was lost, or the consumer
    /// is more than 10,000 behind): read the state anew.
    func notifications(_ channel: String) -> AsyncStream<String>

    /// Writes a consistent copy to a new file while the database goes on working.
    ///
    /// SQLite only. With PostgreSQL it throws kind `unsupported` and names the `pg_dump` command to use.
    func backup(to path: String) async throws

    /// Finishes the bodies handed in and closes every connection; later calls throw kind `closed`.
    ///
    /// Blocks until it is done, a minute at most. Not to be called in a body.
    func close()
}
