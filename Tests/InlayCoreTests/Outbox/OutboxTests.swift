import Foundation
import GRDB
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct OutboxTests {
    let fixture: SessionFixture
    let path = "/v1/things"

    init() throws {
        fixture = try SessionFixture()
        fixture.server.always("/v1/things", .receipts)
    }

    func lane(_ change: (inout OutboxLane) -> Void = { _ in }) -> OutboxLane {
        var lane = OutboxLane(name: "things", path: path, batchSize: 10, flushAfter: .seconds(5))
        change(&lane)
        return lane
    }

    func session(
        _ change: (inout OutboxLane) -> Void = { _ in }
    ) async throws -> InlaySession {
        let session = try await fixture.session()
        await session.outbox.register(lane(change))
        return session
    }

    func enqueue(_ numbers: some Sequence<Int>, _ session: InlaySession) async throws {
        for number in numbers { try await session.outbox.enqueue(TestItem(number), lane: "things") }
    }

    func pending(_ session: InlaySession) async throws -> [String] {
        try await session.outbox.pending(lane: "things").map(\.id)
    }

    func names(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "item-\($0)" } }

    /// The batches that reached the server.
    var batches: [[String]] { fixture.server.requests(path).map(ScriptedBatch.ids) }

    @Test func `an item is in the store when enqueue returns`() async throws {
        let session = try await session()
        try await enqueue(1...3, session)
        #expect(try await pending(session) == names(1...3))
        #expect(try await session.outbox.isEmpty == false)
        #expect(batches.isEmpty)
    }

    @Test func `a flush sends everything in order, in batches of the lane's size`() async throws {
        let session = try await session()
        fixture.server.hold(path)
        try await enqueue(1...25, session)
        fixture.server.release(path)
        await session.outbox.flush(lane: "things")
        #expect(batches.flatMap { $0 } == names(1...25))
        #expect(batches.allSatisfy { $0.count <= 10 })
        #expect(try await session.outbox.isEmpty)
    }

    @Test func `items wait for others for the flush delay of the lane`() async throws {
        let session = try await session()
        try await enqueue(1...2, session)
        try await fixture.clock.untilSleeping(for: .seconds(5))
        fixture.clock.advance(by: .seconds(4))
        try await enqueue(3...3, session)
        #expect(batches.isEmpty)
        fixture.clock.advance(by: .seconds(1))
        try await fixture.server.untilRequests(path)
        #expect(batches == [names(1...3)])
    }

    @Test func `a full batch is sent without waiting`() async throws {
        let session = try await session { $0.flushAfter = .seconds(3600) }
        try await enqueue(1...10, session)
        try await fixture.server.untilRequests(path)
        #expect(batches.first == names(1...10))
    }

    @Test func `a flush during a flush sends nothing twice`() async throws {
        let session = try await session()
        try await enqueue(1...5, session)
        fixture.server.hold(path)
        async let first = session.outbox.flush(lane: "things")
        try await fixture.server.untilHeld(path)
        async let second = session.outbox.flush(lane: "things")
        async let third = session.outbox.flush(lane: "things")
        fixture.server.release(path)
        _ = await (first, second, third)
        #expect(batches == [names(1...5)])
    }

    @Test func `a flush that joins another one also sends what came in between`() async throws {
        let session = try await session()
        try await enqueue(1...1, session)
        fixture.server.hold(path)
        async let first = session.outbox.flush(lane: "things")
        try await fixture.server.untilHeld(path)
        try await enqueue(2...2, session)
        async let second = session.outbox.flush(lane: "things")
        fixture.server.release(path)
        _ = await (first, second)
        #expect(batches == [names(1...1), names(2...2)])
        #expect(try await session.outbox.isEmpty)
    }

    @Test func `items of an earlier run are sent when their lane is registered`() async throws {
        let first = try await session()
        try await enqueue(1...3, first)
        first.work.end()
        let second = try await session()
        try await fixture.server.untilRequests(path)
        try await eventually { try await second.outbox.isEmpty }
        #expect(batches == [names(1...3)])
    }

    @Test func `items of an earlier run are sent as soon as a token names their user`() async throws {
        let first = try await session()
        try await enqueue(1...3, first)
        first.work.end()
        fixture.provider.next(nil)
        let calls = fixture.provider.calls
        let second = try await session()
        try await fixture.provider.untilCalled(calls + 1)
        fixture.server.always("/v1/other", .status(200))
        try await eventually { (try? await second.api.get("/v1/other")) != nil }
        try await fixture.server.untilRequests(path)
        #expect(batches == [names(1...3)])
    }

    @Test func `a feature's write is stored together with its item or not at all`() async throws {
        struct Refusal: Error {}
        let session = try await session()
        session.store.register(
            StoreSchema(
                feature: "test", migrations: [StoreMigration("1", sql: "CREATE TABLE note (id TEXT)")]))
        try await session.outbox.enqueue(TestItem(1), lane: "things") { database in
            try database.execute(sql: "INSERT INTO note VALUES ('one')")
        }
        await #expect(throws: Refusal.self) {
            try await session.outbox.enqueue(TestItem(2), lane: "things") { database in
                try database.execute(sql: "INSERT INTO note VALUES ('two')")
                throw Refusal()
            }
        }
        #expect(try await pending(session) == names(1...1))
        #expect(
            try await session.store.read { try String.fetchAll($0, sql: "SELECT id FROM note") } == ["one"])
    }

    @Test func `an item that cannot be stored does not affect the others of its group`() async throws {
        struct Refusal: Error {}
        let session = try await session { $0.batchSize = 500 }
        let results = await withTaskGroup(of: Bool.self) { group in
            for number in 1...200 {
                group.addTask {
                    let stored: ()? = try? await session.outbox.enqueue(TestItem(number), lane: "things") {
                        _ in
                        if number % 2 == 0 { throw Refusal() }
                    }
                    return stored != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(results == 100)
        #expect(Set(try await pending(session)) == Set(names(stride(from: 1, through: 199, by: 2))))
    }

    @Test func `a feature's settlement is stored together with the removal or not at all`() async throws {
        struct Refusal: Error {}
        let session = try await fixture.session()
        let tries = Locked(0)
        await session.outbox.register(lane()) { _, _ in
            let number = tries.withLock { tries in
                tries += 1
                return tries
            }
            if number == 1 { throw Refusal() }
        }
        try await enqueue(1...2, session)
        guard case .stopped = await session.outbox.flush(lane: "things") else {
            Issue.record("the flush must report that settling failed")
            return
        }
        #expect(try await pending(session) == names(1...2))
        await session.outbox.flush(lane: "things")
        #expect(try await session.outbox.isEmpty)
    }

    @Test func `an unknown lane is an error`() async throws {
        let session = try await fixture.session()
        await #expect(throws: OutboxError.unknownLane("things")) {
            try await session.outbox.enqueue(TestItem(1), lane: "things")
        }
    }

    @Test func `an item that fits in no request is refused at once`() async throws {
        let session = try await session()
        await #expect {
            try await session.outbox.enqueue(
                TestItem(1, text: String(repeating: "x", count: 1_100_000)), lane: "things")
        } throws: { error in
            guard case .itemTooLarge = error as? OutboxError else { return false }
            return true
        }
        #expect(try await session.outbox.isEmpty)
    }

    @Test func `a batch never exceeds the server's limit on a body`() async throws {
        let session = try await session { $0.batchSize = 500 }
        for number in 1...6 {
            let text = String(repeating: "x", count: 300_000)
            try await session.outbox.enqueue(TestItem(number, text: text), lane: "things")
        }
        await session.outbox.flush(lane: "things")
        #expect(batches.map(\.count) == [3, 3])
        #expect(fixture.server.requests(path).allSatisfy { ($0.body?.count ?? 0) < 1 << 20 })
    }
}
