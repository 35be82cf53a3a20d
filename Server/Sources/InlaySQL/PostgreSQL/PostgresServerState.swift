/// The state of the database server, shared by all connections of one database.
///
/// A waiting call checks it, so that it fails soon after the server stopped responding and not at its own deadline.
/// A connection checks it before it begins, so that no new call waits for such a server.
final class PostgresServerState: Sendable {
    private struct State {
        var failure: SQLError?
        var isAbandoned = false
        var isReadOnly = false
        var isDiskFull = false
        var generation = 0
    }

    private let state = Locked(State())

    /// The error that ends all calls now; `nil` while the server responds.
    var failure: SQLError? { state.withLock { $0.failure } }

    /// A number that grows when the existing connections must not be used any more.
    var generation: Int { state.withLock { $0.generation } }

    /// Whether ``abandon()`` was called.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// Whether a write found the server's disk full, and no probe has found free space since.
    var isDiskFull: Bool { state.withLock { $0.isDiskFull } }

    /// Ends all running calls with an error, because the server does not respond.
    func fail(_ error: SQLError) { state.withLock { if !$0.isAbandoned { $0.failure = error } } }

    /// Accepts calls again, because the server responds.
    func recover() { state.withLock { if !$0.isAbandoned { $0.failure = nil } } }

    /// Ends all calls, for good.
    func abandon() {
        state.withLock { state in
            state.isAbandoned = true
            state.failure = .closed
        }
    }

    /// Records whether the server is read-only.
    ///
    /// Once it accepts writes again, existing connections are replaced: they may lead to a former primary.
    func note(isReadOnly: Bool) {
        state.withLock { state in
            if state.isReadOnly, !isReadOnly { state.generation += 1 }
            state.isReadOnly = isReadOnly
        }
    }

    /// Records whether the server's disk is full.
    func note(isDiskFull: Bool) { state.withLock { $0.isDiskFull = isDiskFull } }
}
