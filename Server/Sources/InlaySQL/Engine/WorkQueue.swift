import Foundation

/// A queue of work for several threads: in order within a lane, round robin between lanes.
///
/// A lane uses a limited number of threads at a time, so that a lane whose work blocks, on a locked table for
/// example, leaves threads for the others.
///
/// Unchecked: everything is used only while `condition` is held.
final class WorkQueue<Connection>: @unchecked Sendable {
    /// A piece of work. Exactly one of the two closures is called, once.
    struct Item {
        let perform: @Sendable (Connection) -> Void
        let refuse: @Sendable (SQLError) -> Void
        fileprivate let enqueuedAt = ContinuousClock.now

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
            // Removing the first element each time would move all others.
            if head == items.count || head > 1_000 {
                items.removeFirst(head)
                head = 0
            }
            return item
        }
    }

    private let condition = NSCondition()
    private let maximumPerLane: Int
    private var lanes: [Lane] = []
    private var nextLane = 0
    private var isClosed = false

    /// Makes a queue whose lanes use at most `maximumPerLane` threads at a time.
    init(maximumPerLane: Int) { self.maximumPerLane = maximumPerLane }

    /// Appends an item to a lane; returns false when the queue is closed.
    func add(_ item: Item, lane name: String) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { return false }
        // Lanes are few: a linear search is faster than a dictionary.
        if let lane = lanes.firstIndex(where: { $0.name == name }) {
            lanes[lane].items.append(item)
        } else {
            lanes.append(Lane(name: name, items: [item]))
        }
        condition.signal()
        return true
    }

    /// Waits for work in a lane that may use another thread; returns `nil` when the queue is closed and empty.
    func next() -> (work: @Sendable (Connection) -> Void, lane: Int)? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            for step in lanes.indices {
                let lane = (nextLane + step) % lanes.count
                guard !lanes[lane].isEmpty, lanes[lane].running < maximumPerLane else { continue }
                nextLane = lane + 1
                lanes[lane].running += 1
                return (lanes[lane].popFirst().perform, lane)
            }
            if isClosed, lanes.allSatisfy(\.isEmpty) { return nil }
            condition.wait()
        }
    }

    /// Records that a thread has finished the work that ``next()`` returned.
    func finished(_ lane: Int) {
        condition.lock()
        lanes[lane].running -= 1
        // Wakes threads that found this lane at its limit. Otherwise the caller takes the next item itself.
        if !lanes[lane].isEmpty || isClosed { condition.broadcast() }
        condition.unlock()
    }

    /// Removes and refuses the items that have waited for longer than a limit.
    func refuseWaiting(longerThan limit: Duration) {
        condition.lock()
        var late: [Item] = []
        let start = ContinuousClock.now - limit
        for lane in lanes.indices {
            while !lanes[lane].isEmpty, lanes[lane].items[lanes[lane].head].enqueuedAt < start {
                late.append(lanes[lane].popFirst())
            }
        }
        if isClosed { condition.broadcast() }
        condition.unlock()
        let error = SQLError(.overloaded, "No connection was free for \(limit); try again later.")
        // Outside of the lock, because this resumes callers.
        late.forEach { $0.refuse(error) }
    }

    func close() {
        condition.lock()
        isClosed = true
        condition.broadcast()
        condition.unlock()
    }
}
