import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct OutboxFailureTests {
    let fixture: SessionFixture
    let path = "/v1/things"

    init() throws {
        fixture = try SessionFixture()
        fixture.server.always("/v1/things", .receipts)
    }

    func session(
        _ numbers: ClosedRange<Int>, _ change: (inout OutboxLane) -> Void = { _ in }
    ) async throws -> InlaySession {
        let session = try await fixture.session()
        var lane = OutboxLane(name: "things", path: path, batchSize: 50, flushAfter: .seconds(3600))
        change(&lane)
        await session.outbox.register(lane)
        for number in numbers { try await session.outbox.enqueue(TestItem(number), lane: "things") }
        return session
    }

    func names(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "item-\($0)" } }
    var batches: [[String]] { fixture.server.requests(path).map(ScriptedBatch.ids) }

    @Test(arguments: [
        ScriptedResponse.failure(.unreachable("offline")), .failure(.timedOut), .failure(.cut("half")),
        .failure(.denied), .status(401), .status(403), .status(408), .status(429), .status(500), .status(502),
        .status(503), .status(302), .status(404), .status(400),
        .response(TransportResponse(status: 200, body: Data("<html>log in</html>".utf8))),
        .response(TransportResponse(status: 200, body: Data(#"{"receipts":[]}"#.utf8))),
        .response(TransportResponse(status: 200, body: Data(#"{"receipts":[{"id":"item-1"}"#.utf8))),
    ])
    func `no response drops an item unless our server itself refused it`(answer: ScriptedResponse)
        async throws
    {
        fixture.server.next(path, answer)
        // A 401 is tried twice with two tokens.
        if case .response(let response) = answer, response.status == 401 { fixture.server.next(path, answer) }
        let session = try await session(1...3)
        guard case .stopped = await session.outbox.flush(lane: "things") else {
            Issue.record("the flush must report that it failed")
            return
        }
        #expect(try await session.outbox.pending(lane: "things").map(\.id) == names(1...3))
        await session.outbox.flush(lane: "things")
        #expect(batches.last == names(1...3))
        #expect(try await session.outbox.isEmpty)
    }

    @Test func `waits grow with every failure and end when the server is back`() async throws {
        fixture.server.always(path, .failure(.unreachable("offline")))
        let session = try await session(1...1) {
            $0.retry = RetryRule(first: .seconds(1), maximum: .seconds(4))
        }
        await session.outbox.flush(lane: "things")
        for (number, wait) in [1, 2, 4, 4].enumerated() {
            try await fixture.clock.untilSleeping(for: .seconds(wait))
            fixture.clock.advance(by: .seconds(wait))
            try await fixture.server.untilRequests(path, number + 2)
        }
        fixture.server.always(path, .receipts)
        try await fixture.clock.untilSleeping(for: .seconds(4))
        fixture.clock.advance(by: .seconds(4))
        try await eventually { try await session.outbox.isEmpty }
    }

    @Test func `after a success the back-off starts again, and full batches are sent at once again`()
        async throws
    {
        let session = try await session(1...1) { $0.batchSize = 1 }
        for round in 0..<2 {
            fixture.server.next(path, .status(500), .status(500))
            try await session.outbox.enqueue(TestItem(10 + round), lane: "things")
            for wait in [1, 2] {
                try await fixture.clock.untilSleeping(for: .seconds(wait))
                fixture.clock.advance(by: .seconds(wait))
            }
            try await eventually { try await session.outbox.isEmpty }
        }
    }

    @Test func `a success in the middle of a flush resets the back-off`() async throws {
        fixture.server.next(path, .status(500), .status(500), .receipts, .status(500))
        // A full batch is sent without a flush.
        let session = try await session(1...2) { $0.batchSize = 1 }
        for wait in [1, 2, 1] {
            try await fixture.clock.untilSleeping(for: .seconds(wait))
            #expect(fixture.clock.sleepers == [fixture.clock.now() + .seconds(wait)])
            fixture.clock.advance(by: .seconds(wait))
        }
        try await eventually { try await session.outbox.isEmpty }
        #expect(batches == [["item-1"], ["item-1"], ["item-1"], ["item-2"], ["item-2"]])
    }

    @Test func `Retry-After is respected even by a flush`() async throws {
        fixture.server.next(path, .status(429, headers: ["Retry-After": "90"]))
        let session = try await session(1...1)
        await session.outbox.flush(lane: "things")
        try await fixture.clock.untilSleeping(for: .seconds(90))
        fixture.clock.advance(by: .seconds(89))
        await session.outbox.flush(lane: "things")
        #expect(batches.count == 1)
        fixture.clock.advance(by: .seconds(1))
        try await fixture.server.untilRequests(path, 2)
        try await eventually { try await session.outbox.isEmpty }
    }

    @Test func `enqueuing does not shorten a back-off`() async throws {
        fixture.server.next(path, .status(500))
        let session = try await session(1...2) { $0.batchSize = 3 }
        await session.outbox.flush(lane: "things")
        try await session.outbox.enqueue(TestItem(3), lane: "things")
        try await session.outbox.enqueue(TestItem(4), lane: "things")
        try await fixture.clock.untilSleeping(for: .seconds(1))
        #expect(batches.count == 1)
    }

    @Test func `a batch that the server finds too large is halved until it fits`() async throws {
        fixture.server.always(
            path,
            .handler { request async throws(TransportError) in
                let fits = ScriptedBatch.ids(request).count <= 3
                return try await (fits ? ScriptedResponse.receipts : .status(413)).response(to: request)
            })
        let session = try await session(1...20)
        await session.outbox.flush(lane: "things")
        let accepted = batches.filter { $0.count <= 3 }
        #expect(accepted.flatMap { $0 } == names(1...20))
        #expect(try await session.outbox.isEmpty)
    }

    @Test func `an item that is too large alone is given up, counted and reported`() async throws {
        fixture.server.next(path, .status(413))
        let session = try await session(1...1)
        let outcomes = StreamRecorder(await session.outbox.outcomes(lane: "things"))
        let events = StreamRecorder(session.events.observe())
        await session.outbox.flush(lane: "things")
        try await outcomes.until { $0.id == "item-1" && $0 != .accepted(id: "item-1") }
        try await events.until { $0.name == .outboxDropped && $0.properties["count"] == 1 }
        #expect(try await session.outbox.isEmpty)
    }

    @Test func `one item that fails its batch is found, and the others arrive in order`() async throws {
        let problem = Problem(.malformedBody, status: 400, title: "bad")
        let refusal = try ScriptedResponse.problem(problem)
        fixture.server.always(
            path,
            .handler { request async throws(TransportError) in
                let isBad = ScriptedBatch.ids(request).contains("item-5")
                return try await (isBad ? refusal : .receipts).response(to: request)
            })
        let session = try await session(1...12)
        let outcomes = StreamRecorder(await session.outbox.outcomes(lane: "things"))
        await session.outbox.flush(lane: "things")
        try await outcomes.until(count: 12)
        #expect(outcomes.elements.map(\.id) == names(1...12))
        #expect(outcomes.elements.filter { $0 == .refused(id: $0.id, problem) }.map(\.id) == ["item-5"])
    }

    @Test func `a refusal in a receipt is reported and the rest is accepted`() async throws {
        let problem = Problem(.conflict, status: 409, title: "closed already")
        fixture.server.always(path, .receipts { $0 == "item-2" ? problem : nil })
        let session = try await session(1...3)
        let outcomes = StreamRecorder(await session.outbox.outcomes(lane: "things"))
        await session.outbox.flush(lane: "things")
        try await outcomes.until(count: 3)
        #expect(
            outcomes.elements == [
                .accepted(id: "item-1"), .refused(id: "item-2", problem), .accepted(id: "item-3"),
            ])
    }

    @Test func `receipts for ids that were never sent are ignored`() async throws {
        let body = Data(#"{"receipts":[{"id":"item-1"},{"id":"item-2"},{"id":"stranger"}]}"#.utf8)
        fixture.server.next(path, .response(TransportResponse(status: 200, body: body)))
        let session = try await session(1...3)
        await session.outbox.flush(lane: "things")
        #expect(batches == [names(1...3), names(3...3)])
        #expect(try await session.outbox.isEmpty)
    }

    @Test func `items older than the lane keeps are dropped and reported`() async throws {
        let session = try await session(1...2) { $0.maximumAge = .seconds(60) }
        fixture.clock.advance(by: .seconds(61))
        try await session.outbox.enqueue(TestItem(3), lane: "things")
        let outcomes = StreamRecorder(await session.outbox.outcomes(lane: "things"))
        await session.outbox.flush(lane: "things")
        try await outcomes.until(count: 3)
        #expect(
            outcomes.elements == [
                .dropped(id: "item-1", .age), .dropped(id: "item-2", .age), .accepted(id: "item-3"),
            ])
        #expect(batches == [names(3...3)])
    }

    @Test func `a full lane drops its oldest items and reports them`() async throws {
        let session = try await session(1...1) { $0.maximumBytes = 100 }
        let outcomes = StreamRecorder(await session.outbox.outcomes(lane: "things"))
        for number in 2...9 { try await session.outbox.enqueue(TestItem(number), lane: "things") }
        let left = try await session.outbox.pending(lane: "things")
        #expect(left.reduce(0) { $0 + $1.body.count } <= 100)
        #expect(left.last?.id == "item-9")
        try await outcomes.until(count: 9 - left.count)
        #expect(outcomes.elements == names(1...(9 - left.count)).map { .dropped(id: $0, .size) })
    }

    @Test func `items that are being sent are not dropped for size`() async throws {
        fixture.server.hold(path)
        let session = try await session(1...2) { $0.maximumBytes = 70 }
        async let flush = session.outbox.flush(lane: "things")
        try await fixture.server.untilHeld(path)
        let sent = try #require(batches.first)
        for number in 3...5 { try await session.outbox.enqueue(TestItem(number), lane: "things") }
        let left = try await session.outbox.pending(lane: "things").map(\.id)
        #expect(Array(left.prefix(sent.count)) == sent)
        fixture.server.release(path)
        _ = await flush
    }

    @Test func `without failures there is no timer left when the lane is empty`() async throws {
        let session = try await session(1...3)
        await session.outbox.flush(lane: "things")
        try await eventually { fixture.clock.sleepers.isEmpty }
        _ = session
    }
}
