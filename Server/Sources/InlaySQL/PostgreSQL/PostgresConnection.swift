/// A connection that comes back: lost links are replaced when the next transaction begins.
final class PostgresConnection: TransactionConnection, ThreadConnection, @unchecked Sendable {
    // Unchecked: only the thread of `ConnectionThreads` that made it ever touches it.
    private let address: PostgresAddress
    private var link: PostgresLink?
    /// A release that has not been sent: it travels with the next savepoint, or the commit does its work.
    private var owesRelease = false

    init(_ address: PostgresAddress) { self.address = address }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try current().run(sql, arguments).changedRows
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        try current().run(sql, arguments).rows()
    }

    func begin() throws { try start("BEGIN") }

    /// For a body that only reads: one snapshot for all its statements.
    func beginReading() throws { try start("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") }

    func beginExclusive() throws {
        // Another node may migrate for long; waiting for it is not an error.
        try start("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        // The number means nothing; all nodes only have to use the same one.
        try current().runScript("SELECT pg_advisory_xact_lock(7308895150118264)")
    }

    func commit() throws {
        owesRelease = false
        do {
            // To the commit of a transaction that has failed PostgreSQL answers well, with ROLLBACK.
            guard try current().runScript("COMMIT").command == "COMMIT" else {
                throw SQLError(.other, "PostgreSQL rolled the transaction back instead of committing it.")
            }
        } catch let error as SQLError where error.kind == .connectionLost {
            throw SQLError(
                .commitUnknown, "The connection broke during a commit, which may have happened or not.")
        }
    }

    /// Nothing was written, so a connection that breaks here has done all that was asked of it.
    func endReading() { _ = try? current().runScript("COMMIT") }

    func rollback() {
        owesRelease = false
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

    /// Connects when there is no link yet; the error says why it cannot.
    func connect() throws { link = try address.connect() }

    func close() { link = nil }

    private func start(_ begin: String) throws {
        owesRelease = false
        if link?.checkIdle() != true {
            link = nil
            do {
                try connect()
            } catch let error as SQLError where error.kind == .cannotOpen {
                throw SQLError(.connectionLost, error.message, code: error.code)
            }
        }
        try current().runScript(begin)
    }

    private func current() throws -> PostgresLink {
        guard let link else { throw SQLError(.connectionLost, "There is no connection to PostgreSQL.") }
        return link
    }
}
