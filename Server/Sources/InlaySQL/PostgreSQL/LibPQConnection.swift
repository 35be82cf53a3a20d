import CLibPQ
import Foundation

/// A connection of libpq that runs statements and returns results or throws typed errors.
///
/// Used by one thread at a time. A call blocks its thread until the server has responded, the call's deadline has
/// passed, or the database's ``PostgresServerState`` has a failure. In the last two cases the connection is dropped,
/// because the next call would take the late response for its own.
final class LibPQConnection {
    let raw: OpaquePointer
    private let limit: Duration?
    private let serverState: PostgresServerState
    /// Whether calls have no deadline of their own, as in a migration; a failure of the server still ends them.
    var isUnlimited = false
    private var isDropped = false
    private var statements = PostgresStatementCache()

    /// The time between two checks of the server's state and the clock.
    private static let checkMilliseconds: Int32 = 200

    /// Takes ownership of a connection of libpq; `limit` is the deadline of each call.
    init(_ raw: OpaquePointer, limit: Duration?, serverState: PostgresServerState) {
        self.raw = raw
        self.limit = limit
        self.serverState = serverState
        // The default prints notices to the process's error output.
        _ = PQsetNoticeProcessor(raw, { _, _ in }, nil)
    }

    deinit { PQfinish(raw) }

    /// The id of the server process behind this connection.
    var backendID: Int64 { Int64(PQbackendPID(raw)) }
    var isUsable: Bool { !isDropped && PQstatus(raw) == CONNECTION_OK }
    var isInTransaction: Bool {
        let status = PQtransactionStatus(raw)
        return !isDropped && (status == PQTRANS_INTRANS || status == PQTRANS_INERROR)
    }

    /// Returns whether an idle connection is still open, without a round trip.
    func checkIdle() -> Bool {
        guard isUsable else { return false }
        var state = pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)
        if poll(&state, 1, 0) == 0 { return true }
        // There is input without a request: a notice, or the message of a server that shuts down.
        return PQconsumeInput(raw) == 1 && isUsable
    }

    /// Runs one or more statements without arguments and returns the result of the last one.
    @discardableResult
    func runScript(_ sql: String) throws -> PostgresResult {
        try call { PQsendQuery(raw, sql) }
    }

    /// Runs one statement, which is prepared at its first use.
    func run(_ sql: String, _ values: [SQLValue]) throws -> PostgresResult {
        let arguments = try PostgresArguments(values)
        let name = try statements.name(of: sql, types: arguments.types) { name, numbered in
            let types = arguments.types
            _ = try call { PQsendPrepare(raw, name, numbered, Int32(types.count), types) }
        } reset: {
            try runScript("DEALLOCATE ALL")
        }
        return try call {
            arguments.withPointers { pointers, lengths, formats in
                PQsendQueryPrepared(raw, name, Int32(values.count), pointers, lengths, formats, 0)
            }
        }
    }

    /// Returns the error of a connection that could not be opened. libpq's message names host, port, user and database;
    /// the password is in none of them, because ``PostgresURL`` has checked the address.
    func openingError() -> SQLError {
        SQLError(.cannotOpen, "PostgreSQL cannot be reached: \(message)")
    }

    func lostError() -> SQLError {
        SQLError(.connectionLost, "The connection to PostgreSQL broke: \(message)")
    }

    private func call(_ send: () -> Int32) throws -> PostgresResult {
        guard !isDropped, send() == 1 else { throw lostError() }
        let end = isUnlimited ? nil : limit.map { ContinuousClock.now + $0 }
        var last: PostgresResult?
        repeat {
            try wait(until: end)
            guard let result = PQgetResult(raw).map(PostgresResult.init) else { break }
            last = result
        } while isUsable
        guard let last else { throw lostError() }
        try check(last)
        return last
    }

    /// Flushes the output and waits until libpq has a result.
    private func wait(until end: ContinuousClock.Instant?) throws {
        var unsent = PQflush(raw)
        while unsent == 1 || (unsent == 0 && PQisBusy(raw) == 1) {
            let events = unsent == 1 ? POLLIN | POLLOUT : POLLIN
            var state = pollfd(fd: PQsocket(raw), events: Int16(events), revents: 0)
            let count = poll(&state, 1, Self.checkMilliseconds)
            if count == 0 { try checkDeadline(end) }
            guard count > 0 else { continue }
            if state.revents & ~Int16(POLLOUT) != 0, PQconsumeInput(raw) != 1 { throw lostError() }
            if unsent == 1 { unsent = PQflush(raw) }
        }
        guard unsent == 0 else { throw lostError() }
    }

    private func checkDeadline(_ end: ContinuousClock.Instant?) throws {
        let isLate = end.map { .now > $0 } ?? false
        guard let cause = serverState.failure ?? (isLate ? .unresponsive : nil) else { return }
        isDropped = true
        // Closing a connection sends a message to the server, which cannot block after a shutdown.
        _ = shutdown(PQsocket(raw), Int32(SHUT_RDWR))
        throw cause
    }

    private func check(_ result: PostgresResult) throws {
        switch result.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
        default: break
        }
        guard isUsable else { throw lostError() }
        if result.isStalePlan { statements.forgetAll() }
        let error = SQLError(result)
        if error.kind == .diskFull { serverState.note(isDiskFull: true) }
        throw error
    }

    private var message: String {
        String(cString: PQerrorMessage(raw)).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
