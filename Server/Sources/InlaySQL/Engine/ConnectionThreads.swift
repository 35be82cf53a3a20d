import Dispatch
import Foundation

/// A connection that is used and closed on one thread, and is `Sendable` for that reason.
protocol ThreadConnection: Sendable {
    func close()
}

/// A pool of threads that each own a connection and take work from one ``WorkQueue``.
///
/// Database calls block, and a blocked cooperative thread would delay every task of the process. A thread sleeps
/// only while the queue is empty.
final class ConnectionThreads<Connection: ThreadConnection>: Sendable {
    private let queue: WorkQueue<Connection>
    private let running = DispatchGroup()

    /// Starts the threads. Each calls `make` with its index. `maximumPerLane` is the number of threads that one lane
    /// may use at a time; `nil` for all.
    init(count: Int, maximumPerLane: Int? = nil, name: String, make: @escaping @Sendable (Int) -> Connection)
    {
        let queue = WorkQueue<Connection>(maximumPerLane: maximumPerLane ?? count)
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

    /// Enqueues work and returns true; returns false after ``stop()``, when the work will never run.
    func submit(_ work: @escaping @Sendable (Connection) -> Void) -> Bool {
        queue.add(.init(perform: work, refuse: { _ in }), lane: "")
    }

    /// Refuses the work that has waited for longer than a limit.
    func refuseWaiting(longerThan limit: Duration) { queue.refuseWaiting(longerThan: limit) }

    /// Refuses new work; the threads close their connections when the queue is empty.
    func stop() { queue.close() }

    /// Waits until all threads have ended, up to a limit. Must not be called on one of the threads.
    func wait(seconds: Double) { _ = running.wait(timeout: .now() + seconds) }

    /// Runs work on a thread and returns its result. Throws kind `overloaded` when the work waited for too long.
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
