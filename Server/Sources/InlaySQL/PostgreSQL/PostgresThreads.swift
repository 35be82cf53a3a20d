import Foundation

/// Threads that each own a connection and take work from one queue, first come first served.
///
/// libpq's calls block, and a blocked cooperative thread would hold up every task of the process.
/// The threads end after ``close()`` when the queue is empty, and take their connections with them.
final class PostgresThreads: Sendable {
    typealias Work = @Sendable (PostgresConnection) -> Void

    private let queue = WorkQueue()

    init(count: Int, name: String, address: PostgresAddress) {
        for index in 1...count {
            let thread = Thread { [queue] in
                let connection = PostgresConnection(address)
                while let work = queue.next() { work(connection) }
            }
            thread.name = "\(name)-\(index)"
            thread.start()
        }
    }

    deinit { queue.close() }

    /// Hands in work; false after ``close()``, and then the work will never run.
    func submit(_ work: @escaping Work) -> Bool { queue.add(work) }

    /// Takes no more work and lets the threads end when the queue is empty.
    func close() { queue.close() }

    /// Unchecked: everything is touched only while `condition` is held.
    private final class WorkQueue: @unchecked Sendable {
        private let condition = NSCondition()
        private var waiting: [Work] = []
        private var head = 0
        private var isClosed = false

        func add(_ work: @escaping Work) -> Bool {
            condition.lock()
            defer { condition.unlock() }
            guard !isClosed else { return false }
            waiting.append(work)
            condition.signal()
            return true
        }

        /// Waits for work; `nil` when there will be no more.
        func next() -> Work? {
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
}
