import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct OutboxWireTests {
    let fixture: SessionFixture
    let path = "/letters"

    init() throws { fixture = try SessionFixture() }

    /// A wire that sends one letter per request and keeps the response's body.
    private struct LetterWire: OutboxWire {
        func call(for items: [OutboxItem]) -> APICall {
            APICall("POST", "/letters", body: items[0].body, contentType: "text/plain")
        }

        func replies(
            to items: [OutboxItem], by response: APIResponse
        ) throws(APIError) -> [OutboxReply] {
            [OutboxReply(id: items[0].id, response: response.body)]
        }

        func verdict(on error: APIError, items: Int) -> OutboxVerdict {
            guard case .refused(let problem) = error.kind else { return .wait(retryAfter: nil) }
            return .spend(problem, retryAfter: error.retryAfter)
        }
    }

    func session(
        _ letters: [String], settled: Collector = Collector(), _ change: (inout OutboxLane) -> Void = { _ in }
    ) async throws -> InlaySession {
        let session = try await fixture.session()
        var lane = OutboxLane(name: "letters", carrier: LetterWire(), batchSize: 1, flushAfter: nil)
        change(&lane)
        await session.outbox.register(lane) { settled.add($1) }
        for letter in letters {
            try await session.outbox.enqueue(
                id: letter, body: Data(letter.utf8), time: fixture.clock.now(), lane: "letters")
        }
        return session
    }

    final class Collector: Sendable {
        private let all = Locked<[OutboxSettlement]>([])
        func add(_ some: [OutboxSettlement]) { all.withLock { $0 += some } }
        var settlements: [OutboxSettlement] { all.withLock { $0 } }
    }

    @Test func `a lane uses its own wire, and the responses reach the settlement`() async throws {
        fixture.server.next(
            path, .response(TransportResponse(status: 200, body: Data("one".utf8))),
            .response(TransportResponse(status: 201, body: Data("two".utf8))))
        let settled = Collector()
        let session = try await session(["a", "b"], settled: settled)
        await session.outbox.flush(lane: "letters")
        let requests = fixture.server.requests(path)
        #expect(requests.map { String(decoding: $0.body ?? Data(), as: UTF8.self) } == ["a", "b"])
        #expect(requests.allSatisfy { $0.headers["Content-Type"] == "text/plain" })
        #expect(settled.settlements.map(\.item.id) == ["a", "b"])
        #expect(settled.settlements.compactMap(\.response) == [Data("one".utf8), Data("two".utf8)])
        #expect(try await session.outbox.isEmpty)
    }

    @Test func `an item is given up after its last try, and an error that uses no try does not count`()
        async throws
    {
        fixture.server.next(path, .status(500), .failure(.unreachable("offline")), .status(400), .status(500))
        fixture.server.always(path, .status(200))
        let settled = Collector()
        let session = try await session(["a"], settled: settled) {
            $0.maximumTries = 3
            // Only the flushes below send the item.
            $0.flushCount = 10
        }
        for spent in [1, 1, 2] {
            await session.outbox.flush(lane: "letters")
            #expect(try await session.outbox.pending(lane: "letters").map(\.tries) == [spent])
        }
        await session.outbox.flush(lane: "letters")
        #expect(try await session.outbox.isEmpty)
        #expect(fixture.server.requests(path).count == 4)
        #expect(settled.settlements.map(\.item.tries) == [3])
        guard case .refused("a", let problem) = settled.settlements.first?.outcome else {
            Issue.record("an item without tries left is refused")
            return
        }
        #expect(problem.status == 500)
    }

    @Test func `tries are remembered over a restart`() async throws {
        fixture.server.always(path, .status(500))
        let first = try await session(["a"]) { $0.maximumTries = 2 }
        await first.outbox.flush(lane: "letters")
        first.work.end()
        let second = try await session([]) { $0.maximumTries = 2 }
        try await eventually { try await second.outbox.isEmpty }
        #expect(fixture.server.requests(path).count == 2)
    }

    @Test func `without a time a lane waits for a flush or for enough items`() async throws {
        fixture.server.always(path, .status(200))
        let session = try await session(["a", "b"]) { $0.flushCount = 3 }
        // This request starts later than the items were enqueued, and is still the only one.
        fixture.server.always("/v1/later", .status(200))
        _ = try await session.api.get("/v1/later")
        #expect(fixture.server.requests.count == 1 && fixture.clock.sleepers.isEmpty)
        try await session.outbox.enqueue(
            id: "c", body: Data("c".utf8), time: fixture.clock.now(), lane: "letters")
        try await fixture.server.untilRequests(path, 3)
    }
}
