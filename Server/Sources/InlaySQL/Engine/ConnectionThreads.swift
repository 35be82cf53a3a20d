import Dispatch
import Foundation

/// A connection that lives on one thread and is closed there; `Sendable` because that thread guards it.
protocol ThreadConnection: Sendable {
    func close()
}

/// Threads that each own a connection and take work from one ``WorkQueue``.
///
/// Databases block, and a blocked cooperative thread would hold up every task of the process. Work goes
/// from the caller straight to the thread that does it; a thread that finds more work does not sleep.
final class ConnectionThreads<Connection: ThreadConnection>: Sendable {
    private let queue: WorkQueue<Connection>
    private let running = DispatchGroup()

    /// Starts the threads; each makes its connection from its number, 0 for the first. `perLane` is how many of
    /// them one lane may keep busy; `nil` for all.
    init(count: Int, perLane: Int? = nil, name: String, make: @escaping @Sendable (Int) -> Connection) {
        let queue = WorkQueue<Connection>(perLane: perLane ?? count)
        self.queue = queue
        for index in 0..<count {
            running.enter()
            let thread = Thread { [running] in
                let connection = make(index)
                while let (work, lane) = queue.next() {
                    work(connection)
                    queue.finished(lane)
                }
                connection.close()
                running.leave()
            }
            thread.name = "\(name)-\(index)"
            thread.start()
        }
    }

    deinit { queue.close() }

    /// Hands in work; false after ``stop()``, and then the work will never run.
    func submit(_ work: @escaping @Sendable (Connection) -> Void) -> Bool {
        queue.add(.init(perform: work, refuse: { _ in }), lane: "")
    }

    /// Refuses what has waited for longer than a limit.
    func refuseWaiting(longerThan limit: Duration) { queue.refuseWaiting(longerThan: limit) }

    /// Takes no more work; the threads close their connections when the queue is empty.
    func stop() { queue.close() }

    /// Waits for that, up to a limit. Not to be called on one of the threads.
    func wait(seconds: Double) { _ = running.wait(timeout: .now() + seconds) }

    /// The result of work that may fail; kind `overloaded` when it was refused before it began.
    func run<T: Sendable>(
        lane: String = "", _ work: @escaping @Sendable (Connection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { caller in
            let isTaken = queue.add(
                .init { connection in
                    caller.resume(with: Result { try work(connection) })
                } refuse: {
                    caller.resume(throwing: $0)
                }, lane: lane)
            if !isTaken { caller.resume(throwing: SQLError.closed) }
        }
    }
}
