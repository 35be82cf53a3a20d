/// An engine's connection with control of its transaction, for the group writer and the migrator.
///
/// Used by one thread at a time.
protocol TransactionConnection: SQLConnection {
    /// Starts a transaction that writes; reconnects first when the connection is lost.
    ///
    /// With PostgreSQL no statement waits for a lock after the deadline.
    func begin(until deadline: ContinuousClock.Instant) throws
    /// Starts a transaction that excludes those of all other processes; waits for them.
    func beginExclusive() throws
    /// Commits; throws `commitUnknown` when the connection broke before the response, and `fileLost` when SQLite's
    /// files were not in place after the commit.
    func commit() throws
    /// Rolls back the transaction if there is one. Never throws, because a transaction that cannot be rolled back has
    /// ended already.
    func rollback()
    /// Sets a savepoint for a body, with a deadline as in ``begin(until:)``.
    func savepoint(until deadline: ContinuousClock.Instant) throws
    func releaseSavepoint() throws
    func rollbackToSavepoint() throws
    /// Whether a transaction is open; false also after an error that made the engine roll it back.
    var isInTransaction: Bool { get }
    /// Runs several statements of the common dialect without arguments.
    func executeScript(_ sql: String) throws
}
