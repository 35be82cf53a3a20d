import CLibPQ
import Foundation

/// One connection of libpq: statements in, results or typed errors out.
///
/// Used by one thread at a time; every call blocks until the server has answered.
final class PostgresLink {
    let raw: OpaquePointer
    private var statements = PostgresStatementCache()

    /// Takes over a connection and ends it with itself.
    init(_ raw: OpaquePointer) {
        self.raw = raw
        // The default prints notices to the process's error output.
        _ = PQsetNoticeProcessor(raw, { _, _ in }, nil)
    }

    deinit { PQfinish(raw) }

    var isUsable: Bool { PQstatus(raw) == CONNECTION_OK }
    var isInTransaction: Bool {
        let status = PQtransactionStatus(raw)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    /// Finds out without a round trip whether the server closed an idle connection.
    func checkIdle() -> Bool {
        var state = pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)
        if isUsable, poll(&state, 1, 0) == 0 { return true }
        // Something came unasked: a notice, or the last words of a server that shuts down.
        return PQconsumeInput(raw) == 1 && isUsable
    }

    /// Runs one or more statements without arguments; the last one's result.
    @discardableResult
    func runScript(_ sql: String) throws -> PostgresResult {
        guard let result = PQexec(raw, sql).map(PostgresResult.init) else { throw lostError() }
        try check(result)
        return result
    }

    /// Runs one statement, prepared on first use.
    func run(_ sql: String, _ values: [SQLValue]) throws -> PostgresResult {
        let arguments = try PostgresArguments(values)
        let name = try statements.name(of: sql, types: arguments.types) { name, numbered in
            let types = arguments.types
            let result = PQprepare(raw, name, numbered, Int32(types.count), types)
            guard let result = result.map(PostgresResult.init) else { throw lostError() }
            try check(result)
        } reset: {
            try runScript("DEALLOCATE ALL")
        }
        let result = arguments.withPointers { pointers, lengths, formats in
            PQexecPrepared(raw, name, Int32(values.count), pointers, lengths, formats, 0)
        }
        guard let result = result.map(PostgresResult.init) else { throw lostError() }
        try check(result)
        return result
    }

    /// Why the connection could not be opened, without the address, which holds the password.
    func openingError() -> SQLError {
        SQLError(.cannotOpen, "PostgreSQL cannot be reached: \(message)")
    }

    func lostError() -> SQLError {
        SQLError(.connectionLost, "The connection to PostgreSQL broke: \(message)")
    }

    private func check(_ result: PostgresResult) throws {
        switch result.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
        default: break
        }
        guard isUsable else { throw lostError() }
        if result.isStalePlan { statements.forgetAll() }
        throw SQLError(result)
    }

    private var message: String {
        String(cString: PQerrorMessage(raw)).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
