import Foundation

/// A thread with a connection of its own that checks every second that the server responds and accepts writes.
///
/// It updates ``PostgresServerState``: when the server does not respond for the address's answer limit, all running
/// calls fail, and new ones too until the server responds again. The thread ends with ``close()``, or after the
/// answer limit when a check is running.
final class PostgresMonitor: Sendable {
    private struct State {
        var waiting: [UUID: CheckedContinuation<Void, any Error>] = [:]
        var isClosed = false
    }

    /// The time between two checks.
    static let interval = Duration.seconds(1)

    /// The address with a server state of its own, so that a recorded failure does not end the check itself.
    private let address: PostgresAddress
    private let serverState: PostgresServerState
    private let everySecond: @Sendable () -> Void
    private let state = Locked(State())
    private let pipe: WakePipe

    /// Starts to monitor a server; `everySecond` is called on the monitor's thread after each check.
    init(address: PostgresAddress, everySecond: @escaping @Sendable () -> Void) throws {
        serverState = address.serverState
        var own = address
        own.serverState = PostgresServerState()
        // The deadline of a call is the answer limit alone, because the check takes the server almost no time.
        own.statementLimit = .zero
        self.address = own
        self.everySecond = everySecond
        pipe = try WakePipe()
        Thread { [self] in run() }.start()
    }

    /// Returns when the server has confirmed that it accepts writes; otherwise throws the reason.
    func check() async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in
                let isWaiting = state.withLock { state in
                    guard !state.isClosed, !Task.isCancelled else { return false }
                    state.waiting[id] = caller
                    return true
                }
                guard isWaiting else { return caller.resume(throwing: SQLError.closed) }
                pipe.wake()
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        resumeCallers(.failure(.closed))
        pipe.wake()
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func run() {
        var connection: LibPQConnection?
        while !isClosed {
            let wasOpen = connection != nil
            var outcome = checkServer(&connection)
            if wasOpen, outcome.error?.kind == .connectionLost {
                // The server closed the old connection, which says nothing about a new one.
                connection = nil
                outcome = checkServer(&connection)
            }
            if case .failure(let error) = outcome {
                connection = nil
                if error.kind == .unresponsive { serverState.fail(error) }
            }
            if outcome.error?.kind != .unresponsive { serverState.recover() }
            resumeCallers(outcome)
            everySecond()
            pipe.wait(milliseconds: Int32(Self.interval / .milliseconds(1)))
        }
    }

    /// Checks the server, on a new connection when the last one is lost.
    private func checkServer(_ connection: inout LibPQConnection?) -> Result<Void, SQLError> {
        do {
            if connection?.checkIdle() != true { connection = nil }
            let current = try connection ?? address.connect()
            connection = current
            let isReadOnly = try current.runScript("SHOW transaction_read_only").firstText == "on"
            serverState.note(isReadOnly: isReadOnly)
            guard !isReadOnly else { return .failure(.databaseReadOnly) }
            if serverState.isDiskFull { try probeSpace(current) }
            return .success(())
        } catch {
            return .failure(error as? SQLError ?? SQLError(.other, "\(error)"))
        }
    }

    /// Writes 256 KB into a temporary table; throws `diskFull` while there is no space for them.
    private func probeSpace(_ connection: LibPQConnection) throws {
        do {
            try connection.runScript(
                """
                BEGIN; CREATE TEMPORARY TABLE inlay_space (filler TEXT) ON COMMIT DROP;
                INSERT INTO inlay_space SELECT repeat(md5(n::text), 32) FROM generate_series(1, 256) AS n; COMMIT
                """)
            serverState.note(isDiskFull: false)
        } catch {
            _ = try? connection.runScript("ROLLBACK")
            throw error
        }
    }

    private func resumeCallers(_ outcome: Result<Void, SQLError>) {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for caller in waiting { caller.resume(with: outcome.mapError { $0 as any Error }) }
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
