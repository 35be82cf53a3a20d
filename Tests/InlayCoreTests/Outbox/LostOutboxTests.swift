import Foundation
import GRDB
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

/// Items in an outbox whose store is lost while the session goes on.
@Suite struct LostOutboxTests {
    private let fixture: SessionFixture
    private let path = "/v1/things"

    init() throws {
        fixture = try SessionFixture()
        fixture.server.always("/v1/things", .receipts)
    }

    private func session() async throws -> InlaySession {
        let session = try await fixture.session()
        await session.outbox.register(OutboxLane(name: "things", path: path, flushAfter: .seconds(3600)))
        return session
    }

    private func enqueue(_ number: Int, _ session: InlaySession) async throws {
        try await session.outbox.enqueue(TestItem(number), lane: "things")
    }

    private func pending(_ session: InlaySession) async throws -> [String] {
        try await session.outbox.pending(lane: "things").map(\.id)
    }

    private var batches: [[String]] { fixture.server.requests(path).map(ScriptedBatch.ids) }

    private func removeFolder() throws { try FileManager.default.removeItem(at: fixture.folder.url) }

    @Test
    func
        `items enqueued after the folder was removed survive a restart, and lost ones are reported by count`()
        async throws
    {
        let first = try await session()
        let events = StreamRecorder(first.events.observe())
        try await enqueue(1, first)
        try await enqueue(2, first)
        try removeFolder()
        try await enqueue(3, first)
        try await enqueue(4, first)
        try await events.until {
            $0.name == .outboxDropped
                && $0.properties == ["lane": "things", "count": 2, "reason": "store"]
        }
        #expect(events.elements.filter { $0.name == .outboxDropped }.count == 1)
        #expect(events.elements.contains { $0.name == .storeLost })
        first.work.end()
        await first.store.close()
        fixture.server.hold(path)
        let second = try await session()
        #expect(try await pending(second) == ["item-3", "item-4"])
        fixture.server.release(path)
        // The session after the loss still knows the items' user, so the log-out sends the items.
        try await second.logOut()
        #expect(batches.flatMap { $0 } == ["item-3", "item-4"])
    }

    @Test func `items enqueued at once after the folder was removed are all in the outbox`()
        async throws
    {
        let session = try await session()
        try await enqueue(0, session)
        // A full batch is sent at once; its items stay in the outbox until their receipts arrive.
        fixture.server.hold(path)
        try removeFolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...100 { group.addTask { try await enqueue(number, session) } }
            try await group.waitForAll()
        }
        let all = Set((1...100).map { "item-\($0)" })
        #expect(Set(try await pending(session)) == all)
        fixture.server.release(path)
        await session.outbox.flush(lane: "things")
        #expect(batches.flatMap { $0 }.count == 100)
        #expect(Set(batches.flatMap { $0 }) == all)
    }

    @Test func `an item whose folder is removed before its commit is stored in the new outbox`() async throws
    {
        let session = try await session()
        let (isFirst, folder) = (Locked(true), fixture.folder.url)
        try await session.outbox.enqueue(TestItem(1), lane: "things") { _ in
            let isNow = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isNow { try FileManager.default.removeItem(at: folder) }
        }
        #expect(try await pending(session) == ["item-1"])
        await session.outbox.flush(lane: "things")
        #expect(batches == [["item-1"]])
    }

    @Test func `the receipts of a batch from a lost store remove no item from the new store`() async throws {
        let session = try await session()
        try await enqueue(1, session)
        fixture.server.hold(path)
        async let flush = session.outbox.flush(lane: "things")
        try await fixture.server.untilHeld(path)
        try removeFolder()
        // This item gets the position in the new store that the first item had in the lost store.
        try await enqueue(2, session)
        fixture.server.release(path)
        _ = await flush
        await session.outbox.flush(lane: "things")
        #expect(batches == [["item-1"], ["item-2"]])
        #expect(try await session.outbox.isEmpty)
    }

    @Test func `a flush after the store was lost ends, though the lane had counted items`() async throws {
        let session = try await session()
        try await enqueue(1, session)
        try removeFolder()
        guard case .done = await session.outbox.flush(lane: "things") else {
            Issue.record("there is nothing left to send")
            return
        }
        #expect(batches.isEmpty)
        #expect(try await session.outbox.isEmpty)
    }
}
