import Foundation

/// A thread with a connection of its own that asks the server every second whether it is there and takes writes.
///
/// Its answer is what ``PostgresWatch`` knows: when it hears nothing for the address's answer limit, all calls
/// under way are given up, and new ones are refused until the server answers again. The thread ends with
/// ``close()``; a question under way may keep it for the answer limit longer.
final class PostgresMonitor: Sendable {
    private struct State {
        var waiting: [UUID: CheckedContinuation<Void, any Error>] = [:]
        var isClosed = false
    }

    /// The monitor's own connection has no watch: it is the one that finds out.
    private let address: PostgresAddress
    private let watch: PostgresWatch
    private let everySecond: @Sendable () -> Void
    private let state = Guarded(State())
    private let wake: WakePipe

    /// A monitor of the server at an address; `everySecond` is called on its thread between two questions.
    init(address: PostgresAddress, everySecond: @escaping @Sendable () -> Void) throws {
        watch = address.watch
        var own = address
        own.watch = PostgresWatch()
        // No more than the answer limit: what is asked here takes the server no time.
        own.statementLimit = .zero
        self.address = own
        self.everySecond = everySecond
        wake = try WakePipe()
        Thread { [self] in run() }.start()
    }

    /// Returns when the server has answered that it takes writes, and throws why it does not.
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
                wake.ring()
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        answer(.failure(.closed))
        wake.ring()
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func run() {
        var link: PostgresLink?
        while !isClosed {
            let wasOpen = link != nil
            var outcome = ask(&link)
            if wasOpen, outcome.error?.kind == .connectionLost {
                // The server closed a connection of before, which says nothing about a new one.
                link = nil
                outcome = ask(&link)
            }
            if case .failure(let error) = outcome {
                link = nil
                if error.kind == .unresponsive { watch.fail(error) }
            }
            if outcome.error?.kind != .unresponsive { watch.recover() }
            answer(outcome)
            everySecond()
            wake.wait(milliseconds: 1_000)
        }
    }

    /// Asks, on a new connection when the last one is gone.
    private func ask(_ link: inout PostgresLink?) -> Result<Void, SQLError> {
        do {
            if link?.checkIdle() != true { link = nil }
            let current = try link ?? address.connect()
            link = current
            let isReadOnly = try current.runScript("SHOW transaction_read_only").firstText == "on"
            watch.note(isReadOnly: isReadOnly)
            guard !isReadOnly else { return .failure(.databaseReadOnly) }
            if watch.isDiskFull { try proveRoom(current) }
            return .success(())
        } catch {
            return .failure(error as? SQLError ?? SQLError(.other, "\(error)"))
        }
    }

    /// Writes 256 KB into a table that nobody sees; throws `diskFull` while there is no room for it.
    private func proveRoom(_ link: PostgresLink) throws {
        do {
            try link.runScript(
                """
                BEGIN; CREATE TEMPORARY TABLE inlay_room (filler TEXT) ON COMMIT DROP;
                INSERT INTO inlay_room SELECT repeat(md5(n::text), 32) FROM generate_series(1, 256) AS n; COMMIT
                """)
            watch.note(isDiskFull: false)
        } catch {
            _ = try? link.runScript("ROLLBACK")
            throw error
        }
    }

    private func answer(_ outcome: Result<Void, SQLError>) {
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
