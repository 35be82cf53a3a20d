import Foundation
import GRDB
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

/// The counts of a lane that are kept in memory, which must be correct when the next items are written.
@Suite struct OutboxLaneStatisticsTests {
    @Test func `settled items are removed from the statistics before the next write checks them`()
        async throws
    {
        let fixture = try SessionFixture()
        fixture.server.always(InlayPath.analytics, .receipts)
        let session = try await fixture.session()
        let lane = OutboxLane(name: "analytics", path: InlayPath.analytics)
        let statistics = OutboxStatistics([lane.name: OutboxLaneStatistics(lane: lane)])
        let writer = OutboxWriter(
            store: session.store, statistics: statistics, wake: { _ in }, dropped: { _, _ in })
        for number in 1...3 {
            let body = try JSONEncoder().encode(TestItem(number))
            try await writer.append(
                lane: lane.name, id: "item-\(number)", time: session.serverClock.now(), body: body, with: nil)
        }
        let (pool, seen) = (try await session.store.pool(), Locked<[Int]>([]))
        let sender = OutboxSender(
            store: session.store, api: session.api, statistics: statistics, clock: session.serverClock)
        let delivery = await sender.deliver(lane, limit: 50) { _, _ in
            // Runs as soon as the settling has been committed, before any observer is notified.
            pool.asyncWriteWithoutTransaction { _ in
                let count = statistics.withLock { $0[lane.name]?.count ?? -1 }
                seen.withLock { $0.append(count) }
            }
        }
        guard case .settled = delivery else {
            Issue.record("\(delivery)")
            return
        }
        // This write runs after the one above.
        try await session.store.write { _ in }
        #expect(seen.withLock { $0 } == [0])
    }
}
