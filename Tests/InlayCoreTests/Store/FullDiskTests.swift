import Foundation
import GRDB
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct FullDiskTests {
    @Test func `an enqueue on a full disk fails, keeps what was stored, and works again with space`()
        async throws
    {
        let fixture = try SessionFixture()
        fixture.server.always("/v1/things", .receipts)
        let session = try await fixture.session()
        await session.outbox.register(
            OutboxLane(name: "things", path: "/v1/things", flushAfter: .seconds(3600)))
        try await session.outbox.enqueue(TestItem(1), lane: "things")
        let pool = try await session.store.pool()
        let pages = try await pool.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages + 1)") }
        let big = String(repeating: "x", count: 100_000)
        await #expect(throws: StoreError.diskFull) {
            try await session.outbox.enqueue(TestItem(2, text: big), lane: "things")
        }
        await #expect(throws: StoreError.diskFull) {
            try await session.outbox.enqueue(TestItem(3, text: big), lane: "things") { _ in }
        }
        #expect(try await session.outbox.pending(lane: "things").map(\.id) == ["item-1"])
        try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        try await session.outbox.enqueue(TestItem(4, text: big), lane: "things")
        await session.outbox.flush(lane: "things")
        #expect(fixture.server.requests("/v1/things").flatMap(ScriptedBatch.ids) == ["item-1", "item-4"])
    }
}
