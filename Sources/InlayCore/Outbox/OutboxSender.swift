import Foundation
import GRDB
@_spi(Inlay) import InlayWire

/// The sender of a lane's oldest items, which also settles them by the server's replies.
struct OutboxSender: Sendable {
    /// A feature's own writes when items are settled; see `Outbox.Settle`.
    typealias Settle = @Sendable (Database, [OutboxSettlement]) throws -> Void

    enum Delivery: Sendable {
        case empty
        case settled([OutboxOutcome])
        /// The batch must be sent again with at most this many items.
        case smaller(Int)
        /// One attempt of every item was counted; holds the outcomes of the items that had no more.
        case spent([OutboxOutcome], any Error, retryAfter: Duration?)
        case failed(any Error, retryAfter: Duration?)
    }

    /// The maximum bytes of a batch. The server reads 1 MiB; this leaves space for the envelope.
    static let maximumBodyBytes = 1_000_000

    let store: Store
    let api: APIClient
    let statistics: OutboxStatistics
    let clock: ServerClock

    /// Sends one batch at most. The order is strict because the caller waits for each delivery.
    func deliver(_ lane: OutboxLane, limit: Int, settle: Settle?) async -> Delivery {
        do {
            if let dropped = try await dropAged(lane, settle) { return .settled(dropped) }
            let items = try await take(lane, limit)
            guard !items.isEmpty else { return .empty }
            do {
                let replies = try await lane.carrier.send(items, through: api)
                return try await settled(items, by: replies, lane, settle)
            } catch let error as APIError {
                return try await judged(error, items, lane, settle)
            }
        } catch {
            return .failed(error, retryAfter: nil)
        }
    }

    private func take(_ lane: OutboxLane, _ limit: Int) async throws -> [OutboxItem] {
        let statistics = statistics
        // In a write, hence on the queue of the group commit: no item can be dropped between being
        // read here and being protected.
        return try await store.write { database in
            let items = try OutboxTable.oldest(
                lane.name, limit: limit, bytes: Self.maximumBodyBytes - 2 * limit, database)
            statistics.withLock { $0[lane.name]?.inFlightThrough = items.last?.sequence ?? 0 }
            return items
        }
    }

    private func settled(
        _ items: [OutboxItem], by replies: [OutboxReply], _ lane: OutboxLane, _ settle: Settle?
    ) async throws(APIError) -> Delivery {
        let replies = Dictionary(replies.map { ($0.id, $0) }) { first, _ in first }
        let settlements = items.compactMap { item -> OutboxSettlement? in
            guard let reply = replies[item.id] else { return nil }
            let outcome = reply.refusal.map { OutboxOutcome.refused(id: item.id, $0) }
            return OutboxSettlement(
                item: item, outcome: outcome ?? .accepted(id: item.id), response: reply.response)
        }
        // A success status without a receipt for any item is not our server's response.
        guard !settlements.isEmpty else { throw APIError(.invalidAnswer("no receipt for any item")) }
        do {
            return .settled(try await remove(settlements, lane, settle))
        } catch {
            return .failed(error, retryAfter: nil)
        }
    }

    private func judged(
        _ error: APIError, _ items: [OutboxItem], _ lane: OutboxLane, _ settle: Settle?
    ) async throws -> Delivery {
        switch lane.carrier.verdict(on: error, items: items.count) {
        case .wait(let retryAfter): return .failed(error, retryAfter: retryAfter)
        case .split where items.count > 1: return .smaller(items.count / 2)
        case .split(let problem):
            return .settled(try await remove(Self.refused(items, problem), lane, settle))
        case .spend(let problem, let retryAfter):
            let given = try await spend(items, problem, lane, settle)
            return .spent(given, error, retryAfter: retryAfter)
        }
    }

    /// Counts an attempt of each item, and gives up the items that had their last one.
    private func spend(
        _ items: [OutboxItem], _ problem: Problem, _ lane: OutboxLane, _ settle: Settle?
    ) async throws -> [OutboxOutcome] {
        let spent = items.map { item in
            var item = item
            item.tries += 1
            return item
        }
        let isOver = { (item: OutboxItem) in lane.maximumTries.map { item.tries >= $0 } ?? false }
        let (over, left) = (spent.filter(isOver), spent.filter { !isOver($0) })
        return try await remove(Self.refused(over, problem), lane, settle, spending: left)
    }

    private static func refused(_ items: [OutboxItem], _ problem: Problem) -> [OutboxSettlement] {
        items.map { OutboxSettlement(item: $0, outcome: .refused(id: $0.id, problem)) }
    }

    private func dropAged(_ lane: OutboxLane, _ settle: Settle?) async throws -> [OutboxOutcome]? {
        guard let age = lane.maximumAge else { return nil }
        let limit = clock.now() + (.zero - age)
        let aged = try await store.read { try OutboxTable.older(than: limit, lane.name, $0) }
        guard !aged.isEmpty else { return nil }
        return try await remove(
            aged.map { OutboxSettlement(item: $0, outcome: .dropped(id: $0.id, .age)) }, lane, settle)
    }

    private func remove(
        _ settlements: [OutboxSettlement], _ lane: OutboxLane, _ settle: Settle?,
        spending left: [OutboxItem] = []
    ) async throws -> [OutboxOutcome] {
        let statistics = statistics
        let items = settlements.map(\.item)
        try await store.write { database in
            if !settlements.isEmpty { try settle?(database, settlements) }
            let gone = try OutboxTable.delete(items, database)
            try OutboxTable.spendTry(left, database)
            // On the writer's queue: the next group must not drop items for space that the deleted ones have freed.
            database.afterNextTransaction(onCommit: { _ in
                statistics.withLock { $0[lane.name]?.remove(gone) }
            })
        }
        return settlements.map(\.outcome)
    }
}
