import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct RetryTests {
    static let path = BehaviorsFixture.path

    /// Advances the clock to the end of the next back-off and waits for the request that follows.
    private func nextTry(_ fixture: BehaviorsFixture, after wait: Duration) async throws {
        let before = fixture.server.requests(Self.path).count
        try await fixture.clock.untilSleeping(for: wait)
        fixture.clock.advance(by: wait)
        try await fixture.server.untilRequests(Self.path, before + 1)
    }

    @Test func `one try and three retries, with waits that double, then the event has failed`() async throws {
        let fixture = try await BehaviorsFixture.start()
        fixture.server.always(Self.path, .status(500))
        try await fixture.behaviors.track(.named("1"))
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.behaviors.stored().map(\.tries) == [1])
        #expect(try await fixture.states() == [.notPosted])
        for wait in [1, 2, 4] { try await nextTry(fixture, after: .seconds(wait)) }
        try await fixture.until([.failed])
        let failed = try #require(try await fixture.behaviors.stored([.failed]).first)
        #expect(failed.tries == 4 && failed.problem?.status == 500)
        // Nothing more is sent after a day, a flush and a restart, although the server works again.
        fixture.server.always(Self.path, .eventReceipts())
        fixture.clock.advance(by: .seconds(86_400))
        await fixture.behaviors.postEventCache()
        let again = try await fixture.restarted()
        await again.behaviors.postEventCache()
        #expect(fixture.server.requests(Self.path).count == 4)
        #expect(try await again.states() == [.failed])
    }

    @Test func `with one retry configured there is one`() async throws {
        let fixture = try await BehaviorsFixture.start { $0.settings.maximumRetries = 1 }
        fixture.server.always(Self.path, .status(500))
        try await fixture.behaviors.track(.named("1"))
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.states() == [.notPosted])
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.states() == [.failed])
        #expect(fixture.server.requests(Self.path).count == 2)
    }

    @Test func `with zero retries configured an event is tried without a limit`() async throws {
        let fixture = try await BehaviorsFixture.start { $0.settings.maximumRetries = 0 }
        fixture.server.always(Self.path, .status(500))
        try await fixture.behaviors.track(.named("1"))
        for _ in 0..<20 { await fixture.behaviors.postEventCache() }
        #expect(try await fixture.states() == [.notPosted])
        #expect(try await fixture.behaviors.stored().map(\.tries) == [20])
    }

    @Test func `a failure below the limit is retried by itself and arrives`() async throws {
        let fixture = try await BehaviorsFixture.start()
        fixture.server.next(Self.path, .status(500))
        let id = try await fixture.behaviors.track(.named("1"))
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.behaviors.stored().map(\.tries) == [1])
        try await nextTry(fixture, after: .seconds(1))
        try await fixture.until([.posted])
        #expect(try fixture.submissions.map { $0.map(\.id) } == [[id], [id]])
    }

    @Test(arguments: [
        ScriptedResponse.failure(.unreachable("offline")), .failure(.timedOut), .failure(.cut("half")),
        .failure(.untrusted("certificate")), .status(408), .status(429), .status(302),
        .status(503, headers: ["Retry-After": "0"]),
        .response(TransportResponse(status: 200, body: Data("\n <html>log in</html>".utf8))),
    ])
    func `an error that is not about the event does not count as a try`(answer: ScriptedResponse) async throws
    {
        let fixture = try await BehaviorsFixture.start { $0.settings.maximumRetries = 1 }
        fixture.server.next(Self.path, answer, answer, answer)
        try await fixture.behaviors.track(.named("1"))
        for _ in 0..<3 { await fixture.behaviors.postEventCache() }
        #expect(try await fixture.behaviors.stored().map(\.tries) == [0])
        #expect(try await fixture.states() == [.notPosted])
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.states() == [.posted])
    }

    @Test(arguments: [400, 403, 404, 409, 410, 422, 500, 502, 503, 504])
    func `any other error counts as a try`(status: Int) async throws {
        let fixture = try await BehaviorsFixture.start()
        fixture.server.next(Self.path, .status(status))
        try await fixture.behaviors.track(.named("1"))
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.behaviors.stored().map(\.tries) == [1])
    }

    @Test func `after a refused token the event is sent with a new one`() async throws {
        let tokens = Locked(0)
        let folder = try TemporaryFolder()
        let server = ScriptedTransport.accepting
        let session = try await InlaySession(
            configuration: SessionConfiguration(
                environmentID: "env", apiKey: "key",
                baseURL: try #require(URL(string: "https://behaviors.test")), folder: folder.url),
            transport: server, clock: ManualClock(), random: { 1 }
        ) {
            let number = tokens.withLock { tokens in
                tokens += 1
                return tokens
            }
            return TestToken.unsigned(expires: nil, claims: ["n": .integer(Int64(number))])
        }
        var configuration = BehaviorsConfiguration()
        configuration.tracksInstallation = false
        let behaviors = session.startBehaviors(configuration)
        server.next(Self.path, .status(401))
        try await behaviors.track(.named("1"))
        await behaviors.postEventCache()
        #expect(tokens.withLock { $0 } == 2)
        let sent = server.requests(Self.path).compactMap { $0.headers["Authorization"] }
        #expect(sent.count == 2 && Set(sent).count == 2)
        #expect(try await behaviors.stored().map(\.state) == [.posted])
        #expect(try await behaviors.stored().map(\.tries) == [0])
    }

    @Test func `a batch that is too large is halved until it fits`() async throws {
        let fixture = try await BehaviorsFixture.start { $0.settings.eventCacheSize = 100 }
        fixture.server.always(
            Self.path,
            .handler { request in
                let count =
                    (try? JSONDecoder().decode(EventSubmission.self, from: request.body ?? Data()))?.events
                    .count
                return TransportResponse(status: (count ?? 0) > 3 ? 413 : 200)
            })
        for number in 0..<8 { try await fixture.behaviors.track(.named("\(number)")) }
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.states() == Array(repeating: .posted, count: 8))
        #expect(try await fixture.behaviors.stored().allSatisfy { $0.tries == 0 })
        #expect(try fixture.submissions.prefix(3).map(\.count) == [8, 4, 2])
    }

    @Test func `one bad event does not fail the others of its batch`() async throws {
        let fixture = try await BehaviorsFixture.start {
            $0.settings.eventCacheSize = 100
            $0.settings.maximumRetries = 1
        }
        fixture.server.always(
            Self.path,
            .handler { request in
                let submission = try? JSONDecoder().decode(EventSubmission.self, from: request.body ?? Data())
                let isBad = submission?.events.contains { $0["Event Name"] == "bad" } ?? true
                return TransportResponse(status: isBad ? 400 : 201)
            })
        for name in ["a", "b", "bad", "c", "d"] { try await fixture.behaviors.track(.named(name)) }
        for _ in 0..<4 { await fixture.behaviors.postEventCache() }
        let stored = try await fixture.behaviors.stored()
        #expect(stored.map(\.state) == [.posted, .posted, .failed, .posted, .posted])
    }

    @Test func `a refusal of one event by our server is final for that event only`() async throws {
        let fixture = try await BehaviorsFixture.start()
        fixture.server.always(
            Self.path,
            .eventReceipts {
                $0["Event Name"] == "bad" ? Problem(.invalidValue, status: 422, title: "Not a goal") : nil
            })
        for name in ["a", "bad", "b"] { try await fixture.behaviors.track(.named(name)) }
        try await fixture.until([.posted, .failed, .posted])
        #expect(try await fixture.behaviors.stored([.failed]).first?.problem?.title == "Not a goal")
        #expect(fixture.server.requests(Self.path).count == 1)
    }

    @Test(arguments: ["", "{}", "OK", "{\"id\": 7}"])
    func `any successful response of another server accepts the batch`(body: String) async throws {
        let fixture = try await BehaviorsFixture.start()
        fixture.server.always(
            Self.path, .response(TransportResponse(status: 201, body: Data(body.utf8))))
        try await fixture.behaviors.track(.named("1"))
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.states() == [.posted])
    }

    @Test func `failed events are sent again when the app requests it, with all their tries`() async throws {
        let fixture = try await BehaviorsFixture.start { $0.settings.maximumRetries = 1 }
        fixture.server.next(Self.path, .status(500), .status(500), .status(500))
        let id = try await fixture.behaviors.track(.named("1"))
        for _ in 0..<2 { await fixture.behaviors.postEventCache() }
        #expect(try await fixture.states() == [.failed])
        #expect(try await fixture.behaviors.requeueFailed(["another"]) == 0)
        #expect(try await fixture.behaviors.requeueFailed() == 1)
        #expect(try await fixture.behaviors.stored().map(\.tries) == [0])
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.states() == [.notPosted])
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.states() == [.posted])
        #expect(try fixture.posted.map(\.id) == [id, id, id, id])
        #expect(try await fixture.behaviors.requeueFailed() == 0)
    }

    @Test func `waits never grow beyond an hour`() async throws {
        let fixture = try await BehaviorsFixture.start { $0.settings.maximumRetries = 0 }
        fixture.server.always(Self.path, .status(500))
        try await fixture.behaviors.track(.named("1"))
        for _ in 0..<20 { await fixture.behaviors.postEventCache() }
        try await fixture.clock.untilSleeping(for: .seconds(3600))
        #expect(fixture.clock.sleepers.max() == fixture.clock.now() + .seconds(3600))
    }
}
