import Foundation
import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite struct CardClockTests {
    @Test(arguments: SQLEngine.allCases)
    func `an embargo ends, a snoozed card returns and a card expires at their moments`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(.sample(embargo: 10, expiry: 100))
            try await fixture.events.send("env", CardEventRequest(name: "ping", target: .users(["ada"])))
            #expect(try await fixture.feed() == emptyFeed(fixture, version: 0, hadCards: false))
            #expect(try await fixture.feedJobs.settleDue() == CardsServerFixture.start + .seconds(10))
            #expect(fixture.changes.all.isEmpty)

            fixture.time.advance(by: .seconds(10))
            #expect(try await fixture.feedJobs.settleDue() == CardsServerFixture.start + .seconds(100))
            #expect(fixture.changes.all.map(\.version) == [1])
            let card = try #require(try await fixture.feed().cards.elements.first)
            #expect(card.activeAt == CardsServerFixture.start + .seconds(10))

            let until = fixture.time.now + .seconds(20)
            #expect(try await fixture.act(.snooze(until: until), on: card.id).refusal == nil)
            fixture.time.advance(by: .seconds(19))
            try await fixture.feedJobs.settleDue()
            #expect(try await fixture.feed().cards.elements.isEmpty)
            fixture.time.advance(by: .seconds(1))
            try await fixture.feedJobs.settleDue()
            let returned = try #require(try await fixture.feed().cards.elements.first)
            #expect(returned.id == card.id && returned.activeAt == until && returned.snoozedUntil == nil)

            fixture.time.advance(by: .seconds(70))
            #expect(try await fixture.feedJobs.settleDue() == nil)
            #expect(try await fixture.feed() == emptyFeed(fixture, version: 4, hadCards: true))
            #expect(fixture.changes.all.map(\.version) == [1, 2, 3, 4])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a card can be snoozed again after it returned`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish()
            let card = try await fixture.card()
            for _ in 0..<3 {
                let until = fixture.time.now + .seconds(10)
                #expect(try await fixture.act(.snooze(until: until), on: card.id).refusal == nil)
                #expect(try await fixture.feed().cards.elements.isEmpty)
                fixture.time.advance(by: .seconds(10))
                #expect(try await fixture.feed().cards.elements.map(\.activeAt) == [until])
            }
            #expect(try await fixture.analytics.totals("env")[template.id]?.snoozed == 3)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a snooze that would outlast the card's end leaves it expired`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(.sample(expiry: 50))
            let card = try await fixture.card()
            let until = fixture.time.now + .seconds(80)
            #expect(try await fixture.act(.snooze(until: until), on: card.id).refusal == nil)
            fixture.time.advance(by: .seconds(50))
            #expect(try await fixture.feedJobs.settleDue() == nil)
            fixture.time.advance(by: .seconds(50))
            #expect(try await fixture.feed().cards.elements.isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a reader sees due changes before the clock has settled them, under a new version`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(.sample(expiry: 50))
            _ = try await fixture.card()
            fixture.time.advance(by: .seconds(50))
            #expect(try await fixture.feeds.feed("env", "ada", "main", after: 1) != .notModified)
            #expect(try await fixture.feed() == emptyFeed(fixture, version: 2, hadCards: true))
            #expect(fixture.changes.all.map(\.version) == [1, 2])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `several nodes settle each card once`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(.sample(embargo: 10))
            let users = (0..<450).map { UserID("user-\($0)") }
            try await fixture.events.send("env", CardEventRequest(name: "ping", target: .users(users)))
            fixture.time.advance(by: .seconds(10))
            let nodes = (0..<4).map { _ in CardsServerFixture(fixture.database, time: fixture.time) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for node in nodes { group.addTask { try await node.feedJobs.settleDue() } }
                try await group.waitForAll()
            }
            let changes = nodes.flatMap(\.changes.all)
            #expect(changes.count == 450 && changes.allSatisfy { $0.version == 1 })
        }
    }

    /// Runs the body with three nodes and, for each user, a feed with a card that is due now.
    private func withThreeNodes(
        _ engine: SQLEngine, users: Int, _ body: ([CardsServerFixture]) async throws -> Void
    ) async throws {
        try await Nodes.with(3, engine, migrations: CardsServerFixture.migrations) { databases in
            let time = TestClock(CardsServerFixture.start)
            let nodes = databases.map { CardsServerFixture($0, time: time) }
            try await nodes[0].publish(.sample(embargo: 10))
            let names = (0..<users).map { UserID("user-\($0)") }
            try await nodes[0].events.send("env", CardEventRequest(name: "ping", target: .users(names)))
            time.advance(by: .seconds(10))
            try await body(nodes)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `each due feed is claimed and settled by one of three nodes`(_ engine: SQLEngine) async throws {
        try await withThreeNodes(engine, users: 450) { nodes in
            let moment = nodes[0].time.now
            var claimed: [[Job]] = []
            // The nodes claim one after another, before any settles, and none gets the claims of another.
            for node in nodes { claimed.append(try await node.feedJobs.claimDue()) }
            #expect(claimed.map(\.count) == [200, 200, 50])
            #expect(
                try await CardsServerFixture(nodes[1].database, time: nodes[1].time).feedJobs.claimDue()
                    .isEmpty)
            var settled: [[LiveChange]] = []
            for (node, jobs) in zip(nodes, claimed) {
                settled.append(
                    try await node.database.write { try CardFeedJobs.settle(jobs, at: moment, in: $0) })
            }
            #expect(settled.map(\.count) == [200, 200, 50])
            #expect(Set(settled.joined().map(\.userID)).count == 450)
            #expect(settled.joined().allSatisfy { $0.version == 1 })
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the claims of a stopped node are taken over after their lease, and not before`(_ engine: SQLEngine)
        async throws
    {
        try await withThreeNodes(engine, users: 250) { nodes in
            let time = nodes[0].time
            // The first node stops with its claims.
            let stopped = try await nodes[0].feedJobs.claimDue()
            #expect(stopped.count == 200)
            #expect(try await nodes[1].feedJobs.settleDue() == nil)
            #expect(nodes[1].changes.all.count == 50)
            time.advance(by: CardFeedJobs.lease + .milliseconds(-1))
            #expect(try await nodes[2].feedJobs.settleDue() == nil)
            #expect(nodes[2].changes.all.isEmpty)
            // A reader settles its feed itself and waits for no clock.
            let before = nodes[0].changes.all.count
            _ = try await nodes[0].feeds.feed("env", "user-0", "main")
            time.advance(by: .milliseconds(1))
            try await nodes[2].feedJobs.settleDue()
            let settledByReader = nodes[0].changes.all.count - before
            #expect(nodes[2].changes.all.count + settledByReader == 200)
            // When the stopped node goes on, another has settled the feeds that it claimed.
            let late = try await nodes[0].database.write {
                try CardFeedJobs.settle(stopped, at: time.now, in: $0)
            }
            #expect(late.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a node that hangs in a transaction does not block other nodes' claims`() async throws {
        try await withThreeNodes(.postgresql, users: 250) { nodes in
            let entered = Flag(), end = BlockingLatch()
            async let held: Void = nodes[0].database.write { connection in
                _ = try connection.rows(
                    "SELECT key FROM jobs WHERE kind = 'cards.feed' ORDER BY due_at LIMIT 200 FOR UPDATE")
                entered.set()
                // The latch's limit of a minute only ends a failed test: a statement of another node fails after 10 s.
                try end.wait()
            }
            let outcome: Result<Void, any Error>
            do {
                try await eventually { entered.isSet }
                try await nodes[1].feedJobs.settleDue()
                try await nodes[2].feedJobs.settleDue()
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            end.open()
            try await held
            try outcome.get()
            #expect(nodes[1].changes.all.count == 50 && nodes[2].changes.all.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: SQLEngine.allCases)
    func `the running clock wakes for a card that is due before anything it waits for`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(.sample(embargo: 3_600))
            let running = Task { await fixture.feedJobs.runner.run() }  // cancelled below
            defer { running.cancel() }
            try await fixture.events.send("env", CardEventRequest(name: "ping", target: .users(["ada"])))
            fixture.time.advance(by: .seconds(3_600))
            fixture.feedJobs.queue.wake()
            try await eventually { !fixture.changes.all.isEmpty }
            #expect(fixture.changes.all.map(\.version) == [1])
            #expect(try await fixture.feed().cards.elements.count == 1)
        }
    }

    private func emptyFeed(_ fixture: CardsServerFixture, version: Int64, hadCards: Bool) -> CardFeed {
        CardFeed(
            containerID: "main", version: version, serverTime: fixture.time.now, hadCards: hadCards,
            cards: [],
            layouts: [:])
    }
}
