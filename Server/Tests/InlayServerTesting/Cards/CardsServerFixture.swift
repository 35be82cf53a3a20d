import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Logging
import Metrics
import NIOConcurrencyHelpers
import Testing

@testable import InlayCardsServer
@testable import InlayServerCore

/// The Cards feature of a server on an empty database, with a clock that stands still until a test moves it.
struct CardsServerFixture: Sendable {
    static let start = Timestamp(seconds: 1_800_000_000)

    let database: any SQLDatabase
    let time: TestClock
    let changes: RecordedChanges
    let templates: CardTemplateStore
    let containers: ContainerStore
    let themes: ThemeStore
    let events: CardEventService
    let feeds: FeedStore
    let actions: CardActionService
    let feedJobs: FeedJobRunner
    let inspector: CardInspector
    let analytics: AnalyticsStore

    /// Runs the body on a new database of the engine.
    static func with<R>(_ engine: SQLEngine, _ body: (CardsServerFixture) async throws -> R) async throws -> R
    {
        try await TestDatabase.with(engine, migrations: Self.migrations) { database in
            try await body(CardsServerFixture(database))
        }
    }

    static let migrations =
        JobsSchema.migrations + AccountsSchema.migrations + CardsSchema.migrations
        + AnalyticsSchema.migrations

    init(_ database: any SQLDatabase, time: TestClock = TestClock(CardsServerFixture.start)) {
        let changes = RecordedChanges()
        let now: @Sendable () -> Timestamp = { time.now }
        let onChange: CardChangeHandler = { changes.add($0) }
        let feedJobs = FeedJobRunner(CardFeedJobs(database: database, now: now, onChange: onChange))
        let wake: @Sendable () -> Void = { feedJobs.queue.wake() }
        self.database = database
        self.time = time
        self.changes = changes
        self.feedJobs = feedJobs
        templates = CardTemplateStore(database: database, now: now)
        containers = ContainerStore(database: database, now: now)
        themes = ThemeStore(database: database, now: now)
        events = CardEventService(
            database: database, now: now, onChange: onChange, wakeJobs: wake, jobs: feedJobs.queue)
        feeds = FeedStore(database: database, now: now, onChange: onChange)
        actions = CardActionService(database: database, now: now, onChange: onChange, wakeJobs: wake)
        inspector = CardInspector(database: database, now: now)
        analytics = AnalyticsStore(database: database, now: now)
    }

    /// Publishes a template, by default of the event `ping` in the container `main`.
    @discardableResult
    func publish(
        _ draft: CardTemplateDraft = .sample(), in environment: EnvironmentID = "env",
        containers: [CardContainerID] = ["main"]
    ) async throws -> CardTemplate {
        for id in containers where try await self.containers.container(environment, id) == nil {
            try await self.containers.save(environment, id: id, name: id.rawValue)
        }
        let template = try await templates.create(environment, draft)
        return try await templates.publish(environment, template.id)
    }

    /// Returns the feed as a device would read it.
    func feed(
        _ user: UserID = "ada", _ container: CardContainerID = "main", in environment: EnvironmentID = "env"
    )
        async throws
        -> CardFeed
    {
        guard case .feed(let json) = try await feeds.feed(environment, user, container) else {
            throw TestFailure("a feed without a version to compare must be whole")
        }
        return try JSONDecoder().decode(CardFeed.self, from: Data(json.utf8))
    }

    /// Sends `ping` and returns the user's newest card.
    func card(of user: UserID = "ada") async throws -> CardInstance {
        try await events.send("env", CardEventRequest(name: "ping", target: .users([user])))
        return try #require(try await feed(user).cards.elements.max { $0.id < $1.id })
    }

    /// Applies one action and returns its receipt.
    func act(
        _ kind: CardAction.Kind, on card: String, id: String = UUID().uuidString, user: UserID = "ada",
        container: String = "main", in environment: EnvironmentID = "env"
    ) async throws -> ItemReceipt {
        let action = CardAction(id: id, containerID: container, cardID: card, time: time.now, kind: kind)
        return try #require(
            try await actions.apply(environment, user, clientVersion: "1", [action]).first)
    }
}

extension CardEventService {
    /// Runs the jobs of events that are due, as a node does; returns when none is.
    func runJobs() async throws {
        try await JobRunner(
            jobs, [CardAudienceJobs(events: self), CardDeliveryJobs(events: self)], logger: .quiet,
            metrics: NOOPMetricsHandler.instance
        ).runDue()
    }
}

/// A node's runner with the jobs of feeds alone, which settles the feeds that are due.
struct FeedJobRunner: Sendable {
    let jobs: CardFeedJobs
    let queue: JobQueue
    let runner: JobRunner

    init(_ jobs: CardFeedJobs) {
        self.jobs = jobs
        queue = JobQueue(database: jobs.database, now: jobs.now)
        runner = JobRunner(queue, [jobs], logger: .quiet, metrics: NOOPMetricsHandler.instance)
    }

    /// Settles everything that is due now; returns when something is due next.
    @discardableResult
    func settleDue() async throws -> Timestamp? {
        try await runner.runDue()
        let moment = jobs.now()
        return try await jobs.database.read { connection in
            try connection.row(
                "SELECT MIN(next_due_at) AS next FROM card_feeds WHERE next_due_at > ?", [.moment(moment)]
            )?.optionalMoment("next")
        }
    }

    /// Claims the feeds that are due, as a node that stops before it settles them.
    func claimDue() async throws -> [Job] { try await runner.claimDue().batches.flatMap(\.jobs) }
}

/// The changes that would have been sent to sockets.
final class RecordedChanges: Sendable {
    private let changes = NIOLockedValueBox<[LiveChange]>([])

    var all: [LiveChange] { changes.withLockedValue { $0 } }

    func add(_ more: [LiveChange]) { changes.withLockedValue { $0 += more } }
}

extension CardTemplateDraft {
    static let sampleElements: [CardElement] = [
        .headline("Hello {{name}}"), .submitButton(CardSubmitButton(text: "OK")),
    ]

    static func sample(
        eventName: String = "ping", containers: [CardContainerID] = ["main"], priority: Int = 5,
        elements: [CardElement] = sampleElements,
        variables: [CardTemplateDefinition.Variable] = [.init(name: "name")], embargo: Int64? = nil,
        expiry: Int64? = nil
    ) -> CardTemplateDraft {
        CardTemplateDraft(
            name: "Sample", eventName: eventName, containerIDs: containers, priority: priority,
            definition: CardTemplateDefinition(
                elements: elements, variables: variables, embargoSeconds: embargo, expirySeconds: expiry))
    }
}
