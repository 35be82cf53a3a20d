import Foundation
import GRDB
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct StateTests {
    static let path = BehaviorsFixture.path

    @Test func `fewer events than a batch wait, and the one that fills it sends all in order`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let first = try await fixture.behaviors.track(.named("1"))
        let second = try await fixture.behaviors.track(.named("2"))
        #expect(try await fixture.states() == [.notPosted, .notPosted])
        #expect(fixture.server.requests(Self.path).isEmpty)
        let third = try await fixture.behaviors.track(.named("3"))
        try await fixture.until([.posted, .posted, .posted])
        #expect(try fixture.submissions.map { $0.map(\.id) } == [[first, second, third]])
    }

    @Test func `a stored event reads back as it was tracked`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let id = try await fixture.behaviors.track(.named("a", attributes: ["x": "ü\"\n"]))
        let stored = try #require(try await fixture.behaviors.stored([.notPosted]).first)
        #expect(stored.id == id && stored.event.id == id && stored.tries == 0)
        #expect(stored.event["x"] == "ü\"\n" && stored.event["Event Name"] == "a")
        #expect(stored.event.eventTimestamp == "2030-01-01T00:00:00.000Z")
    }

    @Test func `a waiting event is a row with JSON in the database file`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let id = try await fixture.behaviors.track(.named("a", attributes: ["x": "y"]))
        let file = try #require(
            fixture.folder.names.first { $0.hasPrefix("user-") && $0.hasSuffix(".sqlite") })
        let queue = try DatabaseQueue(path: fixture.folder.url.appendingPathComponent(file).path)
        let body = try await queue.read { database in
            try Data.fetchOne(database, sql: "SELECT body FROM outbox WHERE id = ?", arguments: [id])
        }
        let json = try JSONDecoder().decode(JSONValue.self, from: try #require(body))
        #expect(json["eventTypeCode"] == "17")
        guard case .array(let attributes)? = json["attributes"] else {
            Issue.record("the attributes are a list")
            return
        }
        #expect(attributes.contains(["name": "x", "value": "y"]))
    }

    @Test func `a flush sends fewer events than a batch at once, and nothing when there are none`()
        async throws
    {
        let fixture = try await BehaviorsFixture.start()
        #expect(await fixture.behaviors.postEventCache())
        #expect(fixture.server.requests(Self.path).isEmpty)
        try await fixture.behaviors.track(.named("1"))
        try await fixture.behaviors.track(.named("2"))
        #expect(await fixture.behaviors.postEventCache())
        #expect(try fixture.submissions.map(\.count) == [2])
        #expect(try await fixture.states() == [.posted, .posted])
    }

    @Test func `what was posted is never sent again`() async throws {
        let fixture = try await BehaviorsFixture.start()
        try await fixture.behaviors.track(.named("1"))
        for _ in 0..<3 { await fixture.behaviors.postEventCache() }
        let again = try await fixture.restarted()
        await again.behaviors.postEventCache()
        #expect(try again.posted.count == 1)
        #expect(try await again.states() == [.posted])
    }

    @Test func `without a network no request is made and no try is spent`() async throws {
        let network = TestNetwork(reachable: false)
        let fixture = try await BehaviorsFixture.start { $0.network = network }
        for number in 1...3 { try await fixture.behaviors.track(.named("\(number)")) }
        #expect(await !fixture.behaviors.postEventCache())
        #expect(fixture.server.requests.isEmpty)
        #expect(try await fixture.behaviors.stored().map(\.tries) == [0, 0, 0])
        #expect(try await fixture.states() == [.notPosted, .notPosted, .notPosted])
        network.setReachable(true)
        try await fixture.until([.posted, .posted, .posted])
        #expect(try fixture.submissions.map(\.count) == [3])
    }

    @Test func `a log-out without a network reports the network, not the events that wait`() async throws {
        let network = TestNetwork(reachable: false)
        let fixture = try await BehaviorsFixture.start { $0.network = network }
        try await fixture.behaviors.track(.named("1"))
        await #expect {
            try await fixture.session.logOut()
        } throws: { error in
            guard case .network? = error as? LogOutError else { return false }
            return true
        }
        #expect(fixture.server.requests(Self.path).isEmpty)
    }

    @Test func `an event tracked offline is delivered once by a later run`() async throws {
        let fixture = try await BehaviorsFixture.start()
        fixture.server.always(Self.path, .failure(.unreachable("offline")))
        let id = try await fixture.behaviors.track(.named("1"))
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.states() == [.notPosted])
        let server = ScriptedTransport.accepting
        let again = try await fixture.restarted(server: server)
        try await again.until([.posted])
        #expect(try again.posted.map(\.id) == [id])
    }

    @Test func `the event is stored before the first request for it leaves`() async throws {
        let fixture = try await BehaviorsFixture.start()
        fixture.server.hold(Self.path)
        let id = try await fixture.behaviors.track(.named("1"))
        async let flush = fixture.behaviors.postEventCache()
        try await fixture.server.untilHeld(Self.path)
        // The app is killed while the server processes the request.
        let again = try await fixture.restarted(server: ScriptedTransport.accepting)
        #expect(try await again.behaviors.stored().map(\.id) == [id])
        fixture.server.release(Self.path)
        _ = await flush
    }

    @Test func `leaving the app sends what is ready, however little`() async throws {
        let fixture = try await BehaviorsFixture.start()
        try await fixture.behaviors.track(.named("1"))
        try await fixture.behaviors.appWasLeft()
        #expect(try fixture.posted.map { $0["Event Name"] } == ["1"])
    }

    @Test func `a tracked event is sent once, and one that is only created is never sent`() async throws {
        let fixture = try await BehaviorsFixture.start()
        _ = Behavior.named("only made")
        try await fixture.behaviors.track(.named("tracked"))
        await fixture.behaviors.postEventCache()
        #expect(try fixture.posted.map { $0["Event Name"] } == ["tracked"])
        #expect(try await fixture.behaviors.stored().count == 1)
    }

    @Test func `all four states occur, and an event is in one of them`() async throws {
        let slow = TestAugmenter(ready: false)
        let fixture = try await BehaviorsFixture.start {
            $0.augmenters = [slow]
            $0.settings.maximumRetries = 1
        }
        // Event 1 is posted after its augmentation timed out.
        try await fixture.behaviors.track(.named("1"))
        #expect(try await fixture.states() == [.hold])
        try await slow.untilChecked()
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: .seconds(15))
        try await fixture.until([.notPosted])
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.states() == [.posted])
        // Event 2 is rejected by our server.
        fixture.server.next(
            Self.path, .eventReceipts { _ in Problem(.invalidValue, status: 422, title: "no") })
        let again = try await fixture.restarted()
        try await again.behaviors.track(.named("2"))
        await again.behaviors.postEventCache()
        #expect(try await again.states() == [.posted, .failed])
    }

    @Test func `the log-out sends what is ready`() async throws {
        let fixture = try await BehaviorsFixture.start()
        try await fixture.behaviors.track(.named("1"))
        try await fixture.session.logOut()
        #expect(try fixture.posted.count == 1)
        await #expect(throws: BehaviorError.self) { try await fixture.behaviors.track(.named("2")) }
    }

    @Test func `above the size limit the oldest events are dropped and reported`() async throws {
        let fixture = try await BehaviorsFixture.start {
            $0.settings.eventCacheSize = 1000
            $0.maximumBytes = 20_000
        }
        let events = StreamRecorder(fixture.session.events.observe())
        let text = JSONValue.string(String(repeating: "x", count: 900))
        for number in 0..<40 {
            try await fixture.behaviors.track(.named("\(number)", attributes: ["t": text]))
        }
        let kept = try await fixture.behaviors.stored()
        #expect(kept.count < 25 && kept.last?.event["Event Name"] == "39")
        try await events.until {
            _ in events.elements.filter { $0.name == .outboxDropped }.count >= 40 - kept.count
        }
        #expect(events.elements.allSatisfy { $0.name != .outboxDropped || $0.properties["reason"] == "size" })
    }
}
