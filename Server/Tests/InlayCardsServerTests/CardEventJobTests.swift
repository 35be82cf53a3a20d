import InlaySQL
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Runs of an event's jobs that fail, or whose job another node has taken over.
@Suite(.timeLimit(.minutes(3))) struct CardEventJobTests {
    /// Segments whose search waits for the latch. The wait blocks no thread, so one connection is enough for two nodes.
    private struct HeldSegments: UserSegments {
        let base: any UserSegments
        let asked: AsyncStream<Void>.Continuation
        let latch: Latch

        func users(
            _ environmentID: EnvironmentID, segment id: SegmentID, after userID: UserID, limit: Int
        ) async throws -> [UserID] {
            asked.yield()
            await latch.wait()
            return try await base.users(environmentID, segment: id, after: userID, limit: limit)
        }

        func names(_ environmentID: EnvironmentID) async throws -> [NamedSegment] {
            try await base.names(environmentID)
        }

        func count(_ environmentID: EnvironmentID, segment id: SegmentID) async throws -> Int {
            try await base.count(environmentID, segment: id)
        }

        func exists(
            _ environmentID: EnvironmentID, segment id: SegmentID, in connection: any SQLConnection
        ) throws -> Bool {
            try base.exists(environmentID, segment: id, in: connection)
        }

        func contains(
            _ environmentID: EnvironmentID, segment id: SegmentID, user userID: UserID,
            in connection: any SQLConnection
        ) throws -> Bool {
            try base.contains(environmentID, segment: id, user: userID, in: connection)
        }
    }

    /// A node whose searches wait until a test lets them go on.
    private struct HeldNode {
        let node: DeliveryNode
        private let asked = AsyncStream<Void>.makeStream()
        private let latch = Latch()

        init(_ fixture: DeliveryFixture) {
            let (asked, latch) = (asked, latch)
            node = fixture.node { HeldSegments(base: $0, asked: asked.continuation, latch: latch) }
        }

        /// Returns when a search asks for the segment's users.
        func untilAsked() async { for await _ in asked.stream { break } }

        func goOn() { latch.open() }
    }

    private func claimSearch(_ node: DeliveryNode) async throws -> Job {
        let found = try await node.runner(CardAudienceJobs(events: node.events)).claimDue()
        return try #require(found.batches.first?.jobs.first)
    }

    @Test(arguments: SQLEngine.allCases)
    func `a search whose job was taken over stores nothing`(_ engine: SQLEngine) async throws {
        try await DeliveryFixture.with(engine, users: 3) { fixture in
            let (stale, other) = (HeldNode(fixture), HeldNode(fixture))
            try await stale.node.events.send("env", DeliveryFixture.toQuiet())
            let lost = try await claimSearch(stale.node)
            async let first = stale.node.events.findAudience(of: lost)
            defer { stale.goOn() }
            await stale.untilAsked()
            fixture.cards.time.advance(by: CardAudienceJobs.lease)
            let taken = try await claimSearch(other.node)
            async let second = other.node.events.findAudience(of: taken)
            defer { other.goOn() }
            await other.untilAsked()
            stale.goOn()
            #expect(try await !first)
            #expect(stale.node.statements("INSERT INTO card_audiences").isEmpty)
            other.goOn()
            #expect(try await second)
            #expect(try await other.node.deliverDue() == 1)
            #expect(try await fixture.cardAndUserCounts() == [3, 3])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a search that begins after its job was taken over does not end the other one`(_ engine: SQLEngine)
        async throws
    {
        try await DeliveryFixture.with(engine, users: 3) { fixture in
            let (stale, other) = (fixture.node(), HeldNode(fixture))
            try await stale.events.send("env", DeliveryFixture.toQuiet())
            let lost = try await claimSearch(stale)
            fixture.cards.time.advance(by: CardAudienceJobs.lease)
            let taken = try await claimSearch(other.node)
            async let search = other.node.events.findAudience(of: taken)
            defer { other.goOn() }
            await other.untilAsked()
            #expect(try await !stale.events.findAudience(of: lost))
            #expect(stale.statements("behavior_events").isEmpty)
            other.goOn()
            #expect(try await search)
            #expect(try await other.node.deliverDue() == 1)
            #expect(try await fixture.cardAndUserCounts() == [3, 3])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an event goes on when the nodes that search its audience stop`(_ engine: SQLEngine) async throws {
        try await DeliveryFixture.with(engine, users: 3) { fixture in
            let node = fixture.node()
            try await node.events.send("env", DeliveryFixture.toQuiet())
            for _ in 0...CardAudienceJobs.maximumSearches {
                // The node stops before it runs the job.
                _ = try await claimSearch(node)
                fixture.cards.time.advance(by: CardAudienceJobs.lease)
            }
            // The first error: the claims above did not count as failed searches.
            node.database.beforeEachStatement {
                if $0.sql.contains("behavior_events") { throw NodeStopped() }
            }
            #expect(try await node.findAudiences() == 0)
            #expect(try await !fixture.record().isComplete)
            node.database.beforeEachStatement { _ in }
            fixture.cards.time.advance(by: .seconds(1))
            #expect(try await node.findAudiences() == 1)
            #expect(try await node.deliverDue() == 1)
            #expect(try await fixture.cardAndUserCounts() == [3, 3])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an event that made progress waits only as long as after a first error`(_ engine: SQLEngine)
        async throws
    {
        try await DeliveryFixture.with(engine, users: 1_500) { fixture in
            let (node, pieces) = (fixture.node(), SharedValue(0))
            try await node.events.send("env", DeliveryFixture.toQuiet())
            _ = try await node.findAudiences()
            node.database.beforeEachStatement { statement in
                guard statement.sql.contains("INSERT INTO card_instances") else { return }
                guard pieces.value > 0 else { throw NodeStopped() }
                pieces.change { $0 -= 1 }
            }
            for delay in [1, 2] {
                #expect(try await node.deliverDue() == 0)
                fixture.cards.time.advance(by: .seconds(delay))
            }
            // A piece is delivered before the next error, which therefore does not count as the third in a row.
            pieces.set(to: 1)
            #expect(try await node.deliverDue() == 1)
            pieces.set(to: 2)
            #expect(try await node.deliverDue() == 0)
            fixture.cards.time.advance(by: .seconds(1))
            #expect(try await node.deliverDue() == 2)
            #expect(try await fixture.cardAndUserCounts() == [1_500, 1_500])
        }
    }
}
