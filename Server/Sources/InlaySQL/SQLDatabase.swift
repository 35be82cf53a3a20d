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

    /// The same database through the write lane of this name, made when it is first asked for.
    ///
    /// The writes of a lane keep their order and wait for each other; with PostgreSQL they do not wait for those of
    /// other lanes, so a locked table delays only the lane that writes to it. Each feature uses a lane of its own.
    /// Lanes are few and stay until the database closes.
    ///
    /// Callers that ask for one name, some with shared commits and some without, have two lanes, which do not wait for
    /// each other. Once the database was closed or abandoned, the writes of every lane throw kind `closed`.
    ///
    /// In a lane that does not share commits each body has a transaction of its own: for bodies that lock many rows,
    /// which in one transaction would lock them in another order than a second node does.
    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase

    /// The same database and lane, with reads on connections that are kept for long queries.
    ///
    /// For what people look at and nobody's app waits for: reports, explorers, segments. Such a query waits for
    /// others of its kind, and never takes a connection from the reads of apps.
    var forAnalytics: any SQLDatabase { get }

    /// Runs a body in a transaction and returns after the commit has reached the disk.
    ///
    /// Bodies that wait at the same time in one lane share one transaction, each in a savepoint of its own. They
    /// run one after another in the order of their calls, so a body sees what the earlier ones wrote.
    /// A body that throws is rolled back alone and its error comes out here; a failed commit fails
    /// all bodies of the group. A body that has been handed in is finished even when the task that
    /// waits for it is cancelled. Throws kind `overloaded` when 10,000 bodies wait already, or when the writer was
    /// held up for 10 s before this body's turn.
    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T

    /// Brings the schema up to date, all or nothing, while other nodes and processes wait.
    ///
    /// What has been applied is recorded with a checksum. Throws kind `migrationChanged` when recorded
    /// SQL was edited since, and `migrationUnknown` when the database was migrated by a newer program.
    func migrate(_ migrations: [SQLMigration]) async throws

    /// Tells every listener of the channel, on this node and, with PostgreSQL, on all others.
    ///
    /// Sent on a connection of its own and never in a transaction of data: call it after the write that it tells
    /// of has returned, and a listener that reads sees that write. A process that ends in between sends nothing.
    /// Returns when it is sent; messages keep the order of their calls. Channel: at most 63 bytes; payload: at most 7,900 bytes; both without NUL. An empty payload is not allowed.
    func notify(_ channel: String, _ payload: String) async throws

    /// The payloads sent to the channel from now on; ends with ``close()`` or its consumer's task.
    ///
    /// An empty text says that some payloads may be missing (the connection was lost, or the consumer
    /// is more than 10,000 behind): read the state anew.
    func notifications(_ channel: String) -> AsyncStream<String>

    /// Returns when the database can be read and written, and throws the error that says why it cannot.
    ///
    /// Asks for more than a connection: whether the server takes writes, whether the file is still in its place
    /// and whole, whether the disk has room. Waits as long as the database takes to answer, 10 s at most, or until
    /// its task is cancelled.
    func check() async throws

    /// Writes a consistent copy to a new file while the database goes on working.
    ///
    /// SQLite only. With PostgreSQL it throws kind `unsupported` and names the `pg_dump` command to use.
    func backup(to path: String) async throws

    /// Ends all calls under way with an error, for a process that must stop: a server that hangs would hold them.
    /// Later calls throw kind `closed`. Returns at once; ``close()`` should follow. SQLite finishes what it is at.
    func abandon()

    /// Finishes the bodies handed in and closes every connection; later calls throw kind `closed`.
    ///
    /// Blocks until it is done, a minute at most. Not to be called in a body.
    func close()
}

extension SQLDatabase {
    /// The same database through the write lane of this name, whose bodies share commits.
    public func lane(_ name: String) -> any SQLDatabase { lane(name, sharesCommits: true) }
}
