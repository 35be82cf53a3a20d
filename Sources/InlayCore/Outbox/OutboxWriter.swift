import Foundation
import GRDB
@_spi(Inlay) import InlayWire

/// Commits items in groups: whatever was enqueued while one transaction ran goes into the next one.
///
/// A lone caller pays one transaction an item, a thousand callers share one, and each returns only
/// after its own commit.
final class OutboxWriter: Sendable {
    struct Entry: Sendable {
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

    /// `wake` is called when a lane needs more attention than it has, `dropped` after items had to go.
    init(
        store: Store, statistics: OutboxStatistics, wake: @escaping @Sendable (String) -> Void,
        dropped: @escaping @Sendable (String, [OutboxItem]) -> Void
    ) {
        self.store = store
        self.statistics = statistics
        self.wake = wake
        self.dropped = dropped
    }

    /// Returns after the commit.
    func append(
        lane: String, id: String, time: Timestamp, body: Data, with: (@Sendable (Database) throws -> Void)?
    ) async throws {
        let pool = try await store.pool()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let entry = Entry(lane: lane, id: id, time: time, body: body, with: with) {
                continuation.resume(with: $0)
            }
            enter(entry, pool)
        }
    }

    private func enter(_ entry: Entry, _ pool: DatabasePool) {
        let leads = state.withLock { state in
            state.waiting.append(entry)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard leads else { return }
        // On the caller's thread: a lone caller then pays no change of threads, which costs more than
        // the write. Blocks for one commit, and for a feature's write that is under way.
        pool.writeWithoutTransaction { commitWaiting($0, pool) }
        // Entries that came meanwhile go through the queue, so that this caller does not wait for them.
        if isMoreWaiting() { commitLater(pool) }
    }

    private func commitLater(_ pool: DatabasePool) {
        pool.asyncWriteWithoutTransaction { database in
            self.commitWaiting(database, pool)
            // Through the queue again and not in a loop: other writers get their turn.
            if self.isMoreWaiting() { self.commitLater(pool) }
        }
    }

    private func commitWaiting(_ database: Database, _ pool: DatabasePool) {
        commit(takeWaiting(), database, pool)
    }

    private func takeWaiting() -> [Entry] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func isMoreWaiting() -> Bool {
        state.withLock { state in
            state.isWriting = !state.waiting.isEmpty
            return state.isWriting
        }
    }

    private func commit(_ entries: [Entry], _ database: Database, _ pool: DatabasePool) {
        let group = OutboxGroup(entries: entries, statistics: statistics)
        do {
            if group.isOneStatement {
                try group.write(database)
            } else {
                try database.inTransaction(.immediate) {
                    try group.write(database)
                    return .commit
                }
            }
        } catch {
            let error = store.translated(error, from: pool)
            entries.forEach { $0.waiter(.failure(error)) }
            return
        }
        let needy = group.settle()
        for (entry, failure) in zip(entries, group.failures) {
            entry.waiter(failure.map { .failure($0) } ?? .success(()))
        }
        needy.forEach(wake)
        for (lane, items) in group.dropped { dropped(lane, items) }
    }
}
