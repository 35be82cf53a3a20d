import Foundation
import GRDB
import InlayWire

/// Takes the oldest items of a lane to the server and settles what the server says.
struct OutboxCourier: Sendable {
    /// A feature's own part in settling, in the transaction that removes the items.
    typealias Settle = @Sendable (Database, [OutboxOutcome]) throws -> Void

    enum Delivery: Sendable {
        case empty
        case settled([OutboxOutcome])
        /// Try again with at most this many items.
        case smaller(Int)
        case failed(any Error, retryAfter: Duration?)
    }

    /// The server reads 1 MiB; this leaves room for the envelope.
    static let largestBody = 1_000_000

    let store: Store
    let api: APIClient
    let gauges: OutboxGauges
    let clock: ServerClock

    /// One request at most. Strict order holds because the caller waits for each delivery.
    func deliver(_ lane: OutboxLane, limit: Int, settle: Settle?) async -> Delivery {
        do {
            if let dropped = try await dropAged(lane, settle) { return .settled(dropped) }
            let items = try await take(lane, limit)
            guard !items.isEmpty else { return .empty }
            do throws(APIError) {
                let response = try await api.post(lane.path, body: Self.envelope(items))
                let receipt = try response.decoded(BatchReceipt.self)
                return try await settled(items, by: receipt, lane, settle)
            } catch {
                return try await judged(error, items, lane, settle)
            }
        } catch {
            return .failed(error, retryAfter: nil)
        }
    }

    private func take(_ lane: OutboxLane, _ limit: Int) async throws -> [OutboxItem] {
        let gauges = gauges
        // In a write, hence on the queue of the group commit: no item can be dropped between being
        // read here and being protected.
        return try await store.write { database in
            let items = try OutboxTable.oldest(
                lane.name, limit: limit, bytes: Self.largestBody - 2 * limit, database)
            gauges.withLock { $0[lane.name]?.inFlightThrough = items.last?.sequence ?? 0 }
            return items
        }
    }

    private func settled(
        _ items: [OutboxItem], by receipt: BatchReceipt, _ lane: OutboxLane, _ settle: Settle?
    ) async throws(APIError) -> Delivery {
        let receipts = Dictionary(receipt.receipts.map { ($0.id, $0) }) { first, _ in first }
        let named = items.filter { receipts[$0.id] != nil }
        let outcomes = named.map { item -> OutboxOutcome in
            receipts[item.id]?.refusal.map { .refused(id: item.id, $0) } ?? .accepted(id: item.id)
        }
        // A good status without a word on any item is not our server's answer.
        guard !named.isEmpty else { throw APIError(.invalidAnswer("no receipt for any item")) }
        do {
            try await remove(named, outcomes, lane, settle)
            return .settled(outcomes)
        } catch {
            return .failed(error, retryAfter: nil)
        }
    }

    private func judged(
        _ error: APIError, _ items: [OutboxItem], _ lane: OutboxLane, _ settle: Settle?
    ) async throws -> Delivery {
        switch OutboxVerdict(error) {
        case .wait(let retryAfter): return .failed(error, retryAfter: retryAfter)
        case .split where items.count > 1: return .smaller(items.count / 2)
        case .split(let problem):
            let outcomes = items.map { OutboxOutcome.refused(id: $0.id, problem) }
            try await remove(items, outcomes, lane, settle)
            return .settled(outcomes)
        }
    }

    private func dropAged(_ lane: OutboxLane, _ settle: Settle?) async throws -> [OutboxOutcome]? {
        guard let age = lane.maximumAge else { return nil }
        let limit = clock.now() + (.zero - age)
        let aged = try await store.read { try OutboxTable.older(than: limit, lane.name, $0) }
        guard !aged.isEmpty else { return nil }
        let outcomes = aged.map { OutboxOutcome.dropped(id: $0.id, .age) }
        try await remove(aged, outcomes, lane, settle)
        return outcomes
    }

    private func remove(
        _ items: [OutboxItem], _ outcomes: [OutboxOutcome], _ lane: OutboxLane, _ settle: Settle?
    ) async throws {
        let gauges = gauges
        try await store.write { database in
            try OutboxTable.delete(items, database)
            try settle?(database, outcomes)
        }
        gauges.withLock { $0[lane.name]?.remove(items) }
    }

    private static func envelope(_ items: [OutboxItem]) -> Data {
        var body = Data(#"{"items":["#.utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body.append(item.body)
        }
        body.append(contentsOf: Array("]}".utf8))
        return body
    }
}
