/// A connection that reconnects when the next transaction begins.
final class PostgresConnection: TransactionConnection, ThreadConnection, @unchecked Sendable {
    // Unchecked: only the thread of `ConnectionThreads` that made it uses it.
    private let address: PostgresAddress
    private var connection: LibPQConnection?
    private var generation = 0
    /// Whether a savepoint's release was not sent yet. It is sent with the next savepoint; a commit releases it anyway.
    private var hasPendingRelease = false
    /// The time at which all waits for locks of the transaction end; `nil` when the session's own limit applies.
    private var lockDeadline: ContinuousClock.Instant?
    /// The transaction's `lock_timeout`; `nil` when it is not known.
    private var lockTimeout: Duration?
    private let now: @Sendable () -> ContinuousClock.Instant

    init(_ address: PostgresAddress, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        (self.address, self.now) = (address, now)
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try limitLockWait()
        return try current().run(sql, arguments).changedRows
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        try limitLockWait()
        return try current().run(sql, arguments).rows()
    }

    var writerNumber: Int64 { connection?.backendID ?? 0 }

    func begin(until deadline: ContinuousClock.Instant) throws {
        try startWriting(script("BEGIN", until: deadline))
    }

    /// Begins a transaction that only reads, with one snapshot for all its statements.
    func beginReading(until deadline: ContinuousClock.Instant?) throws {
        try start(script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", until: deadline))
    }

    func beginExclusive() throws {
        // Another node may migrate for a long time, so waiting for it has no limit.
        lockDeadline = nil
        try startWriting("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        connection?.isUnlimited = true
        // The number is arbitrary; all nodes have to use the same one.
        try current().runScript("SELECT pg_advisory_xact_lock(7308895150118264)")
    }

    /// Runs one statement in a transaction of its own.
    func runAlone(_ sql: String, _ arguments: [SQLValue]) throws {
        try prepare()
        _ = try current().run(sql, arguments)
    }

    func commit() throws {
        hasPendingRelease = false
        defer { connection?.isUnlimited = false }
        do {
            // PostgreSQL answers the commit of a failed transaction with success and the command tag ROLLBACK.
            guard try current().runScript("COMMIT").command == "COMMIT" else {
                throw SQLError(.other, "PostgreSQL rolled the transaction back instead of committing it.")
            }
        } catch let error as SQLError where [.connectionLost, .unresponsive, .closed].contains(error.kind) {
            throw SQLError(
                .commitUnknown, "The connection broke during a commit, which may have happened or not.")
        }
    }

    /// Ends a transaction that only read. An error is ignored, because nothing was written.
    func endReading() { _ = try? current().runScript("COMMIT") }

    func rollback() {
        hasPendingRelease = false
        defer { self.connection?.isUnlimited = false }
        guard let connection, connection.isInTransaction else { return }
        // A connection that cannot roll back is closed, which ends its transaction.
        if (try? connection.runScript("ROLLBACK")) == nil { self.connection = nil }
    }

    func savepoint(until deadline: ContinuousClock.Instant) throws {
        let savepoint = hasPendingRelease ? "RELEASE SAVEPOINT body; SAVEPOINT body" : "SAVEPOINT body"
        try current().runScript(script(savepoint, until: deadline))
        hasPendingRelease = false
    }

    func releaseSavepoint() throws { hasPendingRelease = true }
    func rollbackToSavepoint() throws {
        // The rollback also resets the settings that were made after the savepoint.
        lockTimeout = nil
        try current().runScript("ROLLBACK TO SAVEPOINT body")
    }
    var isInTransaction: Bool { connection.map { $0.isUsable && $0.isInTransaction } ?? false }
    func executeScript(_ sql: String) throws { try current().runScript(SQLDialect.postgresSchema(sql)) }

    func close() { connection = nil }

    /// Begins a transaction on a server that accepts writes.
    ///
    /// A read-only session is closed and one reconnect is tried: the server may have become writable since, or the
    /// address may name a new primary.
    private func startWriting(_ begin: @autoclosure () -> String) throws {
        for _ in 0..<2 {
            let isReadOnly = try start(begin() + "; SHOW transaction_read_only").firstText == "on"
            guard isReadOnly else { return }
            address.serverState.note(isReadOnly: true)
            connection = nil
        }
        throw SQLError.databaseReadOnly
    }

    @discardableResult
    private func start(_ begin: @autoclosure () -> String) throws -> PostgresResult {
        hasPendingRelease = false
        lockTimeout = nil
        try prepare()
        // The script is made only now, because connecting may have taken a part of the time until the deadline.
        return try current().runScript(begin())
    }

    /// Returns a script that also limits the waits for locks after it.
    private func script(_ sql: String, until deadline: ContinuousClock.Instant?) -> String {
        lockDeadline = deadline
        return [sql, newLockTimeout()].compactMap(\.self).joined(separator: "; ")
    }

    /// Shortens the limit of waits for locks when earlier statements of the transaction took much of the time.
    private func limitLockWait() throws {
        if let statement = newLockTimeout() { try current().runScript(statement) }
    }

    /// Returns the statement that limits waits for locks to the deadline; `nil` when the current limit is close enough.
    private func newLockTimeout() -> String? {
        guard let lockDeadline else { return nil }
        let left = WaitLimit.lockWait(until: lockDeadline, now: now())
        if let lockTimeout, lockTimeout >= left - .seconds(1), lockTimeout <= left + Self.tolerance {
            return nil
        }
        lockTimeout = left
        return "SET LOCAL lock_timeout = \(Int64(left / .milliseconds(1)))"
    }

    /// The time by which a wait for a lock may end after the deadline, so that quick statements cost no round trip.
    private static let tolerance = Duration.milliseconds(100)

    /// Reconnects when there is no usable connection. Costs no round trip when there is one.
    private func prepare() throws {
        if let failure = address.serverState.failure { throw failure }
        let wanted = address.serverState.generation
        if generation == wanted, connection?.checkIdle() == true { return }
        connection = nil
        generation = wanted
        do {
            connection = try address.connect()
        } catch let error as SQLError where error.kind == .cannotOpen {
            throw SQLError(.connectionLost, error.message, code: error.code)
        }
    }

    private func current() throws -> LibPQConnection {
        guard let connection else { throw SQLError(.connectionLost, "There is no connection to PostgreSQL.") }
        return connection
    }
}
