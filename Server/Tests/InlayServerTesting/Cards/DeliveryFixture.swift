import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Logging
import Metrics
import NIOConcurrencyHelpers
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayServerCore

/// A database with users, a published card, and the segment `quiet` of all users without a purchase.
struct DeliveryFixture {
    let cards: CardsServerFixture
    private let databases: [any SQLDatabase]
    private let nodes = NIOLockedValueBox(0)

    static func with(
        _ engine: SQLEngine, users: Int, _ body: (DeliveryFixture) async throws -> Void
    ) async throws {
        let migrations = CardsServerFixture.migrations + BehaviorsSchema.migrations
        try await Nodes.with(3, engine, migrations: migrations) { databases in
            let database = databases[0]
            let fixture = DeliveryFixture(cards: CardsServerFixture(database), databases: databases)
            try await fixture.cards.publish()
            let moment = fixture.cards.time.now
            let ids = (0..<users).map { UserID("user-\($0)") } + ["buyer"]
            _ = try await database.write { try UserStore.ensure("env", ids, at: moment, in: $0) }
            let event = BehaviorSite.event(
                "e", "16", at: ContactDateFormat.rfc3339(moment.microseconds), [("Goal Name", "Buy")])
            let intake = EventIntake(
                database: database, refusals: EventRefusals(database: database), now: { moment })
            let caller = BehaviorCaller(environmentID: "env", userID: "buyer")
            _ = try await intake.submit(Data(BehaviorSite.body([event]).utf8), from: caller)
            let rule = SegmentRule([.init(.init(code: 16, name: "Buy", days: 7), isNot: true)])
            try await SegmentStore(database: database, now: { moment })
                .save("env", id: "quiet", name: "Quiet", rule)
            try await body(fixture)
        }
    }

    /// Returns a node with connections of its own to the same database; a test has at most three.
    func node(
        usersPerQuery: Int = CardAudienceSearch.usersPerQuery,
        segments: (SegmentStore) -> any UserSegments = { $0 }
    ) -> DeliveryNode {
        let index = nodes.withLockedValue { count in
            defer { count += 1 }
            return count
        }
        return DeliveryNode(
            RecordingDatabase(databases[index]), cards.time, usersPerQuery, segments)
    }

    /// Returns an event to the segment `quiet`.
    static func toQuiet(_ id: CardEventID? = nil) -> CardEventRequest {
        CardEventRequest(id: id, name: "ping", target: .segment("quiet"), lifecycleID: "l")
    }

    /// Returns the number of cards and the number of users who have one.
    func cardAndUserCounts() async throws -> [Int] {
        try await cards.database.read {
            try $0.row("SELECT COUNT(*) AS n, COUNT(DISTINCT user_id) AS users FROM card_instances")
                .map { [try $0.int("n"), try $0.int("users")] } ?? []
        }
    }

    func record() async throws -> CardEventRecord {
        try #require(try await cards.events.recent("env").first)
    }
}

/// A node of a ``DeliveryFixture`` with a record of its statements.
struct DeliveryNode {
    let database: RecordingDatabase
    let events: CardEventService
    let changes = RecordedChanges()
    /// The number of times the job that ends embargoes and snoozes was woken.
    let wakes = NIOLockedValueBox(0)

    init(
        _ database: RecordingDatabase, _ time: TestClock, _ usersPerQuery: Int,
        _ segments: (SegmentStore) -> any UserSegments
    ) {
        self.database = database
        let now: @Sendable () -> Timestamp = { time.now }
        let (changes, wakes) = (changes, wakes)
        var events = CardEventService(
            database: database, now: now, onChange: { changes.add($0) },
            wakeJobs: { wakes.withLockedValue { $0 += 1 } },
            jobs: JobQueue(database: database, now: now),
            segments: segments(SegmentStore(database: database, now: now)))
        events.usersPerQuery = usersPerQuery
        self.events = events
    }

    /// Runs the audience searches that are due, and returns the number of stored audiences.
    func findAudiences() async throws -> Int {
        try await count("SET is_listed = 1") {
            try await runner(CardAudienceJobs(events: events)).runDue()
        }
    }

    /// Delivers the events that are due, and returns the number of delivered pieces.
    func deliverDue() async throws -> Int {
        try await count("UPDATE card_events SET position") {
            try await runner(CardDeliveryJobs(events: events)).runDue()
        }
    }

    func runner(_ handlers: any JobHandler...) -> JobRunner {
        JobRunner(
            events.jobs, handlers, logger: .quiet, metrics: NOOPMetricsHandler.instance, chance: { 0 })
    }

    private func count(_ text: String, _ body: () async throws -> Void) async throws -> Int {
        let before = statements(text).count
        try await body()
        return statements(text).count - before
    }

    /// Makes all statements fail, beginning with the `count`th one that contains the text.
    func failStatements(from count: Int, containing text: String) {
        let seen = NIOLockedValueBox(0)
        database.beforeEachStatement { statement in
            let hasStopped = seen.withLockedValue { seen in
                if seen < count, statement.sql.contains(text) { seen += 1 }
                return seen >= count
            }
            if hasStopped { throw NodeStopped() }
        }
    }

    func statements(_ text: String) -> [RecordingDatabase.Statement] {
        database.statements.filter { $0.sql.contains(text) }
    }
}

/// The error of each statement of a node that has stopped.
struct NodeStopped: Error {}
