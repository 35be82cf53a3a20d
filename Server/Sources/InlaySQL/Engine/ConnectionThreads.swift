import Dispatch
import Foundation

/// A connection that lives on one thread and is closed there; `Sendable` because that thread guards it.
protocol ThreadConnection: Sendable {
    func close()
}

/// Threads that each own a connection and take work from one queue, first come first served.
///
/// Databases block, and a blocked cooperative thread would hold up every task of the process. Work goes
/// from the caller straight to the thread that does it; a thread that finds more work does not sleep.
final class ConnectionThreads<Connection: ThreadConnection>: Sendable {
    typealias Work = @Sendable (Connection) -> Void

    private let queue = WorkQueue<Connection>()
    private let running = DispatchGroup()

    /// Starts the threads; each makes its connection from its number, 0 for the first.
    init(count: Int, name: String, make: @escaping @Sendable (Int) -> Connection) {
        for index in 0..<count {
            running.enter()
            let thread = Thread { [queue, running] in
                let connection = make(index)
                while let work = queue.next() { work(connection) }
                connection.close()
                running.leave()
            }
            thread.name = "\(name)-\(index)"
            thread.start()
        }
    }

    deinit { queue.close() }

    /// Hands in work; false after ``stop()``, and then the work will never run.
    func submit(_ work: @escaping Work) -> Bool { queue.add(work) }

    /// Takes no more work; the threads close their connections when the queue is empty.
    func stop() { queue.close() }

    /// Waits for that, up to a limit. Not to be called on one of the threads.
    func wait(seconds: Double) { _ = running.wait(timeout: .now() + seconds) }

    /// The result of work that may fail.
    func run<T: Sendable>(_ work: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { caller in
            let isTaken = submit { connection in
                caller.resume(with: Result { try work(connection) })
            }
            if !isTaken { caller.resume(throwing: SQLError.closed) }
        }
    }
}

/// Unchecked: everything is touched only while `condition` is held.
private final class WorkQueue<Connection>: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [@Sendable (Connection) -> Void] = []
    private var head = 0
    private var isClosed = false

    func add(_ work: @escaping @Sendable (Connection) -> Void) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { return false }
        waiting.append(work)
        condition.signal()
        return true
    }

    /// Waits for work; `nil` when there will be no more.
    func next() -> (@Sendable (Connection) -> Void)? {
        condition.lock()
        defer { condition.unlock() }
        while head == waiting.count {
            if isClosed { return nil }
            condition.wait()
        }
        let work = waiting[head]
        head += 1
        // Removing the first element each time would move all others each time.
        if head == waiting.count || head > 1_000 {
            waiting.removeFirst(head)
            head = 0
        }
        return work
    }

    func close() {
        condition.lock()
        isClosed = true
        condition.broadcast()
        condition.unlock()
    }
}
