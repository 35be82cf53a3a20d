/// What the group writer and the migrator need of an engine's connection.
///
/// Used by one thread at a time.
protocol TransactionConnection: SQLConnection {
    /// Starts a transaction that writes; reconnects first when the connection is gone.
    func begin() throws
    /// Starts a transaction that no other process can be in at the same time; waits for it.
    func beginExclusive() throws
    /// Throws `commitUnknown` when the answer never came.
    func commit() throws
    /// Ends the transaction if there is one; never throws, for a transaction that cannot be rolled
    /// back is gone already.
    func rollback()
    func savepoint() throws
    func releaseSavepoint() throws
    func rollbackToSavepoint() throws
    /// False when the engine has thrown the whole transaction away because of an error.
    var isInTransaction: Bool { get }
    /// Runs several statements without arguments, written in the common dialect.
    func executeScript(_ sql: String) throws
}
