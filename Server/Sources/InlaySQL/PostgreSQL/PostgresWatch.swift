/// The state of the server that all connections of one database share.
///
/// A call looks here while it waits, so that a server that stopped answering holds no call until the call's own
/// deadline, and a connection looks here before it begins, so that nothing new waits for such a server.
final class PostgresWatch: Sendable {
    private struct State {
        var failure: SQLError?
        var isAbandoned = false
        var isReadOnly = false
        var isDiskFull = false
        var generation = 0
    }

    private let state = Guarded(State())

    /// Why calls are given up now; `nil` while the server answers.
    var failure: SQLError? { state.withLock { $0.failure } }

    /// Grows when connections that were made before must not be used any more.
    var generation: Int { state.withLock { $0.generation } }

    /// Whether ``abandon()`` was called.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// Whether a write found no room on the server's disk, and none has been proven since.
    var isDiskFull: Bool { state.withLock { $0.isDiskFull } }

    /// The server has been silent for too long: all calls under way end with this error.
    func fail(_ error: SQLError) { state.withLock { if !$0.isAbandoned { $0.failure = error } } }

    /// The server answers again.
    func recover() { state.withLock { if !$0.isAbandoned { $0.failure = nil } } }

    /// Ends all calls, for good.
    func abandon() {
        state.withLock { state in
            state.isAbandoned = true
            state.failure = .closed
        }
    }

    /// Notes whether the server takes writes. The connections of a read-only time are replaced after it: they may
    /// lead to a primary of the past.
    func note(isReadOnly: Bool) {
        state.withLock { state in
            if state.isReadOnly, !isReadOnly { state.generation += 1 }
            state.isReadOnly = isReadOnly
        }
    }

    /// Notes what a write said about the room on the server's disk.
    func note(isDiskFull: Bool) { state.withLock { $0.isDiskFull = isDiskFull } }
}
