import Foundation
import InlaySQL
import InlaySQLTesting
import InlayWire
import Logging
import NIOConcurrencyHelpers
import Testing

@testable import InlayServer

/// Deliveries to many: to segments, in pieces, by several nodes.
@Suite struct CardDeliveryTests {
    /// A database in which `users` are known, a card is published, and the segment `quiet` holds all who never bought.
    private struct World {
        let cards: CardWorld

        static func with(
            _ engine: SQLEngine, users: Int, _ body: (World) async throws -> Void
        ) async throws {
            let migrations = CardWorld.migrations + BehaviorsSchema.migrations
            try await TestDatabase.with(engine, migrations: migrations) { database in
                let world = World(cards: CardWorld(database))
                try await world.cards.publish()
                let moment = world.cards.time.now
                let ids = (0..<users).map { "user-\($0)" } + ["buyer"]
                _ = try await database.write { try UserStore.ensure("env", ids, at: moment, in: $0) }
                let event = BehaviorSite.event(
                    "e", "16", at: ContactMoment.rfc3339(moment.microseconds), [("Goal Name", "Buy")])
                let intake = EventIntake(
                    database: database, refusals: EventRefusals(database: database), now: { moment })
                let caller = BehaviorCaller(environmentID: "env", userID: "buyer")
                _ = try await intake.take(Data(BehaviorSite.body([event]).utf8), from: caller)
                let rule = SegmentRule([.init(.init(code: 16, name: "Buy", days: 7), isNot: true)])
                try await SegmentStore(database: database, now: { moment })
                    .save("env", id: "quiet", name: "Quiet", rule)
                try await body(world)
            }
        }

        /// A node of its own on the same database.
        func node() -> Node { Node(WitnessDatabase(cards.database), cards.time) }

        /// How many cards there are, and how many users have one.
        func reached() async throws -> [Int] {
            try await cards.database.read {
                try $0.row("SELECT COUNT(*) AS n, COUNT(DISTINCT user_id) AS users FROM card_instances")
                    .map { [try $0.int("n"), try $0.int("users")] } ?? []
            }
        }

        func record() async throws -> CardEventRecord {
            try #require(try await cards.events.recent("env").first)
        }
    }

    private struct Node {
        let database: WitnessDatabase
        let events: CardEventService
        let heard = HeardNews()

        init(_ database: WitnessDatabase, _ time: TestTime) {
            self.database = database
            let now: @Sendable () -> Timestamp = { time.now }
            let heard = heard
            events = CardEventService(
                database: database, now: now, news: { heard.add($0) }, wakeClock: {},
                segments: SegmentStore(database: database, now: now))
        }

        /// Lets every statement fail from the `count`th on that has the text.
        func die(at count: Int, of text: String) {
            let seen = NIOLockedValueBox(0)
            database.beforeEach { statement in
                let isDead = seen.withLockedValue { seen in
                    if seen < count, statement.sql.contains(text) { seen += 1 }
                    return seen >= count
                }
                if isDead { throw Dead() }
            }
        }

        func statements(_ text: String) -> [WitnessDatabase.Statement] {
            database.statements.filter { $0.sql.contains(text) }
        }
    }

    private struct Dead: Error {}

    private func toQuiet(_ id: String? = nil) -> CardEventRequest {
        CardEventRequest(id: id, name: "ping", target: .segment("quiet"), lifecycleID: "l")
    }

    @Test(arguments: SQLEngine.allCases)
    func `a segment's users are found by one statement outside of the writer, after the answer`(
        _ engine: SQLEngine
    ) async throws {
        try await World.with(engine, users: 1_100) { world in
            let node = world.node()
            let receipt = try await node.events.send("env", toQuiet("evt"))
            #expect(receipt.eventID == "evt" && receipt.cards == 0 && !receipt.isComplete)
            #expect(node.statements("behavior_events").isEmpty)
            // The node goes on at once: what it waits with is rung already.
            try await within { await node.events.searches.sleep(atMost: .seconds(600)) }
            #expect(try await node.events.findAudiences() == 1)
            try await within { await node.events.deliveries.sleep(atMost: .seconds(600)) }
            #expect(try await node.events.resume() == 3)
            #expect(node.statements("behavior_events").map(\.place) == [.analytics])
            #expect(try await world.reached() == [1_100, 1_100])
            #expect(try await world.cards.feed("buyer").cards.elements.isEmpty)
            let record = try await world.record()
            #expect(record.cards == 1_100 && record.isComplete)
            #expect(Set(node.heard.all.map(\.userID)).count == 1_100)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a single send does not wait for a segment's query, which one node asks`(_ engine: SQLEngine)
        async throws
    {
        try await World.with(engine, users: 10) { world in
            let (node, other) = (world.node(), world.node())
            try await node.events.send("env", toQuiet())
            let (asked, goesOn) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
            node.database.beforeEach { statement in
                guard statement.sql.contains("behavior_events") else { return }
                asked.continuation.yield()
                goesOn.wait()
            }
            async let found = node.events.findAudiences()
            for await _ in asked.stream { break }
            defer { goesOn.signal() }
            let request = CardEventRequest(name: "ping", target: .users(["ada"]))
            let receipt = try await within { try await node.events.send("env", request) }
            #expect(receipt.cards == 1 && receipt.isComplete)
            #expect(try await other.events.findAudiences() == 0)
            #expect(try await other.events.resume() == 0)
            goesOn.signal()
            #expect(try await found == 1)
            #expect(other.statements("behavior_events").isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an audience that a dead node left half stored is found anew, and each user has one card`(
        _ engine: SQLEngine
    ) async throws {
        try await World.with(engine, users: 4_200) { world in
            let (node, other) = (world.node(), world.node())
            try await node.events.send("env", toQuiet())
            node.die(at: 2, of: "INSERT INTO card_audiences")
            await #expect(throws: Dead.self) { try await node.events.findAudiences() }
            #expect(try await other.events.findAudiences() == 0)
            world.cards.time.advance(CardAudienceSearch.lease)
            #expect(try await other.events.findAudiences() == 1)
            try await other.events.resume()
            #expect(try await world.reached() == [4_200, 4_200])
            #expect(try await world.record().isComplete)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `where a node dies in a delivery the next goes on at once, and each user has one card`(
        _ engine: SQLEngine
    ) async throws {
        try await World.with(engine, users: 3_000) { world in
            let (node, other, third) = (world.node(), world.node(), world.node())
            try await node.events.send("env", toQuiet())
            try await node.events.findAudiences()
            node.die(at: 3, of: "INSERT INTO card_instances")
            await #expect(throws: Dead.self) { try await node.events.resume() }
            #expect(try await world.reached() == [1_024, 1_024])
            // The clock stands still: nobody waits for the dead.
            async let pieces = other.events.resume()
            async let more = third.events.resume()
            #expect(try await pieces + more >= 4)
            #expect(try await world.reached() == [3_000, 3_000])
            let record = try await world.record()
            #expect(record.cards == 3_000 && record.isComplete)
            let heard = other.heard.all + third.heard.all
            #expect(heard.count == 3_000 - 1_024 && heard.allSatisfy { $0.version == 1 })
            #expect(try await world.cards.analytics.totals("env").values.map(\.sent) == [3_000])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a delivery goes on without a pause when its sender has its answer`(_ engine: SQLEngine) async throws
    {
        try await World.with(engine, users: 5_999) { world in
            let node = world.node()
            let receipt = try await node.events.send("env", CardEventRequest(name: "ping", target: .all))
            #expect((5_000..<6_000).contains(receipt.cards) && !receipt.isComplete)
            try await within { await node.events.deliveries.sleep(atMost: .seconds(600)) }
            // The clock stands still.
            #expect(try await node.events.resume() == 2)
            #expect(try await world.reached() == [6_000, 6_000])
            // Single sends have another lane.
            let lanes = node.statements("INSERT INTO card_instances").map(\.lane)
            #expect(lanes == ["main"] + Array(repeating: "card-deliveries", count: 11))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a delivery runs by itself where the server runs`(_ engine: SQLEngine) async throws {
        try await World.with(engine, users: 700) { world in
            let node = world.node()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await node.events.run(.quiet) }
                try await node.events.send("env", toQuiet())
                let done = world.cards.events
                try await within {
                    while try await done.recent("env").first?.isComplete != true { await Task.yield() }
                }
                group.cancelAll()
            }
            #expect(try await world.reached() == [700, 700])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a thousand users take at most twenty statements`(_ engine: SQLEngine) async throws {
        try await World.with(engine, users: 4_999) { world in
            let node = world.node()
            let named = (0..<5_000).map { "new-\($0)" }
            for target in [UserTarget.segment("quiet"), .all, .users(named)] {
                node.database.forget()
                try await node.events.send("env", CardEventRequest(name: "ping", target: target))
                try await node.events.findAudiences()
                try await node.events.resume()
                let count = node.database.statements.count
                #expect(count <= 100, "\(target == .all ? "all" : "listed"): \(count) statements")
            }
            #expect(try await world.reached() == [4_999 + 5_000 + 5_000, 10_000])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `cancelling for a segment finds its users once and takes back their cards only`(_ engine: SQLEngine)
        async throws
    {
        try await World.with(engine, users: 600) { world in
            let node = world.node()
            var event = CardEventRequest(name: "ping", target: .all)
            event.lifecycleID = "l"
            try await node.events.send("env", event)
            node.database.forget()
            let request = CardCancelRequest(lifecycleID: "l", target: .segment("quiet"))
            #expect(try await node.events.cancel("env", request).cards == 600)
            #expect(node.statements("behavior_events").map(\.place) == [.analytics])
            #expect(node.database.statements.count < 20)
            #expect(try await world.cards.feed("buyer").cards.elements.count == 1)
            #expect(try await world.cards.feed("user-7").cards.elements.isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user who is erased leaves the audiences that wait, and gets no card`(_ engine: SQLEngine)
        async throws
    {
        try await World.with(engine, users: 3) { world in
            let node = world.node()
            try await node.events.send("env", toQuiet())
            try await node.events.findAudiences()
            try await node.database.write { try CardAudience.erase("user-1", "other", in: $0) }
            let kept = try await node.database.read {
                try $0.rows("SELECT user_ids FROM card_audiences").map { try $0.text("user_ids") }
            }
            #expect(kept == [#"["user-0","user-1","user-2"]"#])
            try await node.database.write { try CardAudience.erase("user-1", "env", in: $0) }
            try await node.events.resume()
            #expect(try await world.reached() == [2, 2])
            #expect(try await world.cards.feed("user-1").cards.elements.isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an event to a segment that is gone or empty ends without a card`(_ engine: SQLEngine) async throws {
        try await World.with(engine, users: 0) { world in
            let node = world.node()
            try await node.events.send("env", toQuiet())
            try await node.events.findAudiences()
            try await node.events.resume()
            let record = try await world.record()
            #expect(record.cards == 0 && record.isComplete)
        }
    }
}
