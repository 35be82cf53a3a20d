/// A database of either engine, used through one SQL dialect.
///
/// Bodies run on threads of the engine, never on Swift's cooperative threads, so they may block.
/// A body must have no effect but through its connection: it runs again when PostgreSQL asks for a
/// retry or a connection was lost before anything was committed.
///
/// After a statement has failed the body can only throw: PostgreSQL takes no further statement in that
/// transaction, so the same rule holds for SQLite. Query first, or use `ON CONFLICT`.
///
/// The common dialect: `?` placeholders, `ON CONFLICT`, `RETURNING`, `BIGINT` for integers, times in
/// microseconds and Booleans, `DOUBLE PRECISION`, `TEXT` (also for JSON), `BLOB`. ``SQLDialect`` alone
/// translates where the engines differ.
public protocol SQLDatabase: Sendable {
    /// The engine; for messages and metrics, not for branching in feature code.
    var engine: SQLEngine { get }

    /// Runs a body that only reads, on one snapshot of the data. Reads run concurrently.
    ///
    /// A statement that writes throws ``SQLError`` of kind `readOnly`.
    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T

    /// Returns the same database with the write lane of this name, and makes the lane at its first use.
    ///
    /// The writes of a lane keep their order and wait for each other; with PostgreSQL they do not wait for those of
    /// other lanes, so a locked table delays only the lane that writes to it. Each feature uses a lane of its own.
    /// Lanes are few and stay until the database closes.
    ///
    /// The same name with and without shared commits is two lanes, which do not wait for each other. Once the database
    /// was closed or abandoned, the writes of every lane throw kind `closed`.
    ///
    /// In a lane that does not share commits each body has a transaction of its own. Bodies that lock many rows need
    /// that: several of them in one transaction could deadlock with another node, which locks the rows in another
    /// order.
    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase

    /// The same database and lane, with reads on connections that are reserved for long queries.
    ///
    /// For reports, explorers and segments, which no app waits for. Such a query waits for others of its kind and
    /// never takes a connection from the reads of apps.
    var forAnalytics: any SQLDatabase { get }

    /// Runs a body in a transaction and returns after the commit has reached the disk.
    ///
    /// Bodies that wait at the same time in one lane share one transaction, each in a savepoint of its own. They
    /// run one after another in the order of their calls, so a body sees what the earlier ones wrote.
    /// A body that throws is rolled back alone, and this method throws its error; a failed commit fails
    /// all bodies of the group. A queued body runs even when the task that waits for it is cancelled.
    /// Throws kind `overloaded` when 10,000 bodies wait already. With PostgreSQL a body that has waited for 10 s since
    /// this call throws `overloaded` when it has not started, and `timeout` when it waits for a lock.
    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T

    /// Brings the schema up to date, all or nothing, while other nodes and processes wait.
    ///
    /// Each applied migration is recorded with a checksum. Throws kind `migrationChanged` when recorded
    /// SQL was edited since, and `migrationUnknown` when the database was migrated by a newer program.
    func migrate(_ migrations: [SQLMigration]) async throws

    /// Sends a payload to every listener of the channel, on this node and, with PostgreSQL, on all others.
    ///
    /// It uses a connection of its own and no transaction of the data. Call it after the write that it announces has
    /// returned, so that a listener that reads sees that write. A process that ends in between sends nothing.
    /// Returns after sending; messages keep the order of their calls. The channel has at most 63 bytes, the payload
    /// 1 to 7,900, both without NUL.
    func notify(_ channel: String, _ payload: String) async throws

    /// Returns the payloads sent to the channel from now on; the stream ends with ``close()`` or its consumer's task.
    ///
    /// An empty string means that payloads may be missing (the connection was lost, or the consumer
    /// is more than 10,000 behind): read the state again.
    func notifications(_ channel: String) -> AsyncStream<String>

    /// Returns when the database can be read and written; otherwise throws the reason.
    ///
    /// Checks that the server accepts writes, that no file of SQLite was moved, replaced or truncated, and that the
    /// disk has free space. Waits for the database for at most 10 s, or until its task is cancelled.
    func check() async throws

    /// Writes a consistent copy to a new file while the database goes on working.
    ///
    /// SQLite only. With PostgreSQL it throws kind `unsupported` and names the `pg_dump` command to use.
    func backup(to path: String) async throws

    /// Ends all running calls with an error, so that a process can stop although the database server hangs.
    /// Later calls throw kind `closed`. Returns at once; ``close()`` should follow. SQLite finishes running calls.
    func abandon()

    /// Finishes the queued bodies and closes every connection; later calls throw kind `closed`.
    ///
    /// Blocks until then, for at most a minute. Must not be called in a body.
    func close()
}

extension SQLDatabase {
    /// Returns the same database with the write lane of this name, whose bodies share commits.
    public func lane(_ name: String) -> any SQLDatabase { lane(name, sharesCommits: true) }
}
