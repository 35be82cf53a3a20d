/// A connection that comes back: lost links are replaced when the next transaction begins.
final class PostgresConnection: TransactionConnection, ThreadConnection, @unchecked Sendable {
    // Unchecked: only the thread of `ConnectionThreads` that made it ever touches it.
    private let address: PostgresAddress
    private var link: PostgresLink?
    private var generation = 0
    /// A release that has not been sent: it travels with the next savepoint, or the commit does its work.
    private var owesRelease = false

    init(_ address: PostgresAddress) { self.address = address }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try current().run(sql, arguments).changedRows
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        try current().run(sql, arguments).rows()
    }

    var writerNumber: Int64 { link?.backendID ?? 0 }

    func begin() throws { try startWriting("BEGIN") }

    /// For a body that only reads: one snapshot for all its statements.
    func beginReading() throws { try start("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") }

    func beginExclusive() throws {
        // Another node may migrate for long; waiting for it is not an error.
        try startWriting("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        link?.isUnlimited = true
        // The number means nothing; all nodes only have to use the same one.
        try current().runScript("SELECT pg_advisory_xact_lock(7308895150118264)")
    }

    /// Runs one statement in a transaction of its own.
    func runAlone(_ sql: String, _ arguments: [SQLValue]) throws {
        try prepare()
        _ = try current().run(sql, arguments)
    }

    func commit() throws {
        owesRelease = false
        defer { link?.isUnlimited = false }
        do {
            // To the commit of a transaction that has failed PostgreSQL answers well, with ROLLBACK.
            guard try current().runScript("COMMIT").command == "COMMIT" else {
                throw SQLError(.other, "PostgreSQL rolled the transaction back instead of committing it.")
            }
        } catch let error as SQLError where [.connectionLost, .unresponsive, .closed].contains(error.kind) {
            throw SQLError(
                .commitUnknown, "The connection broke during a commit, which may have happened or not.")
        }
    }

    /// Nothing was written, so a connection that breaks here has done all that was asked of it.
    func endReading() { _ = try? current().runScript("COMMIT") }

    func rollback() {
        owesRelease = false
        defer { self.link?.isUnlimited = false }
        guard let link, link.isInTransaction else { return }
        // A link that cannot even roll back is of no more use; its end ends the transaction.
        if (try? link.runScript("ROLLBACK")) == nil { self.link = nil }
    }

    func savepoint() throws {
        try current().runScript(owesRelease ? "RELEASE SAVEPOINT body; SAVEPOINT body" : "SAVEPOINT body")
        owesRelease = false
    }

    func releaseSavepoint() throws { owesRelease = true }
    func rollbackToSavepoint() throws { try current().runScript("ROLLBACK TO SAVEPOINT body") }
    var isInTransaction: Bool { link.map { $0.isUsable && $0.isInTransaction } ?? false }
    func executeScript(_ sql: String) throws { try current().runScript(SQLDialect.postgresSchema(sql)) }

    func close() { link = nil }

    /// Begins a transaction on a server that takes writes. A session that does not is left: the server may have
    /// become read-only or writable since, and the address may name the host of a new primary.
    private func startWriting(_ begin: String) throws {
        for _ in 0..<2 {
            let isReadOnly = try start(begin + "; SHOW transaction_read_only").firstText == "on"
            guard isReadOnly else { return }
            address.watch.note(isReadOnly: true)
            link = nil
        }
        throw SQLError.databaseReadOnly
    }

    @discardableResult
    private func start(_ begin: String) throws -> PostgresResult {
        owesRelease = false
        try prepare()
        return try current().runScript(begin)
    }

    /// Makes sure that there is a link that can be used, which takes no round trip when there is one.
    private func prepare() throws {
        if let failure = address.watch.failure { throw failure }
        let wanted = address.watch.generation
        if generation == wanted, link?.checkIdle() == true { return }
        link = nil
        generation = wanted
        do {
            link = try address.connect()
        } catch let error as SQLError where error.kind == .cannotOpen {
            throw SQLError(.connectionLost, error.message, code: error.code)
        }
    }

    private func current() throws -> PostgresLink {
        guard let link else { throw SQLError(.connectionLost, "There is no connection to PostgreSQL.") }
        return link
    }
}
