import Foundation

/// Work for several threads, in lanes: first come first served within a lane, in turns between lanes.
///
/// A lane keeps only so many threads busy, so that one whose work stands still, on a locked table for example,
/// leaves threads for the others.
///
/// Unchecked: everything is touched only while `condition` is held.
final class WorkQueue<Connection>: @unchecked Sendable {
    /// Something to do, or to refuse: one of the two is called once.
    struct Item {
        let perform: @Sendable (Connection) -> Void
        let refuse: @Sendable (SQLError) -> Void
        fileprivate let since = ContinuousClock.now

        init(
            perform: @escaping @Sendable (Connection) -> Void, refuse: @escaping @Sendable (SQLError) -> Void
        ) {
            self.perform = perform
            self.refuse = refuse
        }
    }

    private struct Lane {
        let name: String
        var items: [Item] = []
        var head = 0
        var running = 0

        var isEmpty: Bool { head == items.count }

        mutating func popFirst() -> Item {
            let item = items[head]
            head += 1
            // Removing the first element each time would move all others each time.
            if head == items.count || head > 1_000 {
                items.removeFirst(head)
                head = 0
            }
            return item
        }
    }

    private let condition = NSCondition()
    private let perLane: Int
    private var lanes: [Lane] = []
    private var turn = 0
    private var isClosed = false

    /// A queue whose lanes keep at most so many threads busy.
    init(perLane: Int) { self.perLane = perLane }

    /// Takes an item into a lane; false when the queue was closed.
    func add(_ item: Item, lane name: String) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { return false }
        // Lanes are few: looking through them is quicker than a dictionary.
        if let lane = lanes.firstIndex(where: { $0.name == name }) {
            lanes[lane].items.append(item)
        } else {
            lanes.append(Lane(name: name, items: [item]))
        }
        condition.signal()
        return true
    }

    /// Waits for work and for a free place in its lane; `nil` when there will be no more.
    func next() -> (work: @Sendable (Connection) -> Void, lane: Int)? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            for step in lanes.indices {
                let lane = (turn + step) % lanes.count
                guard !lanes[lane].isEmpty, lanes[lane].running < perLane else { continue }
                turn = lane + 1
                lanes[lane].running += 1
                return (lanes[lane].popFirst().perform, lane)
            }
            if isClosed, lanes.allSatisfy(\.isEmpty) { return nil }
            condition.wait()
        }
    }

    /// Notes that a thread is done with what ``next()`` gave it.
    func finished(_ lane: Int) {
        condition.lock()
        lanes[lane].running -= 1
        // The thread that calls this takes one item itself; another may wait for the place that became free.
        if !lanes[lane].isEmpty || isClosed { condition.broadcast() }
        condition.unlock()
    }

    /// Takes out and refuses what has waited for longer than a limit.
    func refuseWaiting(longerThan limit: Duration) {
        condition.lock()
        var late: [Item] = []
        let start = ContinuousClock.now - limit
        for lane in lanes.indices {
            while !lanes[lane].isEmpty, lanes[lane].items[lanes[lane].head].since < start {
                late.append(lanes[lane].popFirst())
            }
        }
        if isClosed { condition.broadcast() }
        condition.unlock()
        let error = SQLError(.overloaded, "No connection was free for \(limit); try again later.")
        // Outside the lock: callers go on in here.
        late.forEach { $0.refuse(error) }
    }

    func close() {
        condition.lock()
        isClosed = true
        condition.broadcast()
        condition.unlock()
    }
}
