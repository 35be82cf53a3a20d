import Foundation
import GRDB
@_spi(Inlay) import InlayWire

/// A group commit of items: whatever is enqueued while one transaction runs goes into the next one.
///
/// A lone caller pays one transaction an item, a thousand callers share one, and each returns only
/// after its own commit.
final class OutboxWriter: Sendable {
    struct Entry: Sendable {
        /// The database that its caller found open.
        let pool: DatabasePool
        let lane: String
        let id: String
        let time: Timestamp
        let body: Data
        let with: (@Sendable (Database) throws -> Void)?
        let waiter: Waiter
    }

    typealias Waiter = @Sendable (Result<Void, any Error>) -> Void

    private struct State {
        var waiting: [Entry] = []
        var isWriting = false
    }

    private let store: Store
    private let statistics: OutboxStatistics
    private let wake: @Sendable (String) -> Void
    private let dropped: @Sendable (String, [OutboxItem]) -> Void
    private let state = Locked(State())

    /// Creates a writer that calls `wake` when a lane's urgency grows, and `dropped` after items were dropped for
    /// space.
    init(
        store: Store, statistics: OutboxStatistics, wake: @escaping @Sendable (String) -> Void,
        dropped: @escaping @Sendable (String, [OutboxItem]) -> Void
    ) {
        self.store = store
        self.statistics = statistics
        self.wake = wake
        self.dropped = dropped
    }

    /// Stores an item; returns after the commit.
    func append(
        lane: String, id: String, time: Timestamp, body: Data, with: (@Sendable (Database) throws -> Void)?
    ) async throws {
        try await store.access { pool in
            try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
                let entry = Entry(pool: pool, lane: lane, id: id, time: time, body: body, with: with) {
                    caller.resume(with: $0)
                }
                enter(entry)
            }
        }
    }

    private func enter(_ entry: Entry) {
        let leads = state.withLock { state in
            state.waiting.append(entry)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard leads else { return }
        // On the caller's thread: a lone caller then pays no change of threads, which costs more than
        // the write. Blocks for one commit, and for a feature's write that is under way.
        entry.pool.writeWithoutTransaction { commitWaiting($0, entry.pool) }
        // Entries that came meanwhile go through the queue, so that this caller does not wait for them.
        if let next = nextPool() { commitLater(next) }
    }

    private func commitLater(_ pool: DatabasePool) {
        pool.asyncWriteWithoutTransaction { database in
            self.commitWaiting(database, pool)
            // Through the queue again and not in a loop: other writers get their turn.
            if let next = self.nextPool() { self.commitLater(next) }
        }
    }

    private func commitWaiting(_ database: Database, _ pool: DatabasePool) {
        commit(takeWaiting(for: pool), database, pool)
    }

    /// Takes the entries for a database. Entries for its replacement are not spent on a database that is given up.
    private func takeWaiting(for pool: DatabasePool) -> [Entry] {
        state.withLock { state in
            defer { state.waiting.removeAll { $0.pool === pool } }
            return state.waiting.filter { $0.pool === pool }
        }
    }

    /// Returns the database of the oldest entry; after `nil`, the next caller writes at once again.
    private func nextPool() -> DatabasePool? {
        state.withLock { state in
            state.isWriting = !state.waiting.isEmpty
            return state.waiting.first?.pool
        }
    }

    private func commit(_ entries: [Entry], _ database: Database, _ pool: DatabasePool) {
        let group = OutboxGroup(entries: entries, statistics: statistics)
        do {
            let open = try store.current(pool)
            try write(group, database)
            try store.confirm(open)
        } catch {
            let error = store.translated(error, from: pool)
            entries.forEach { $0.waiter(.failure(error)) }
            return
        }
        let lanesToWake = group.settle()
        for (entry, failure) in zip(entries, group.failures) {
            entry.waiter(failure.map { .failure($0) } ?? .success(()))
        }
        lanesToWake.forEach(wake)
        for (lane, items) in group.dropped { dropped(lane, items) }
    }

    private func write(_ group: OutboxGroup, _ database: Database) throws {
        guard !group.isOneStatement else { return try group.write(database) }
        try database.inTransaction(.immediate) {
            try group.write(database)
            return .commit
        }
    }
}
