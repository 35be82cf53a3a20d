import Hummingbird
package import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging
import ServiceLifecycle

/// Cards on the server: templates, containers, themes, events, feeds, actions, and timed changes of feeds.
package struct CardsFeature: ServerFeature {
    /// The templates that authors write.
    package let templates: CardTemplateStore
    /// The containers that cards appear in.
    package let containers: ContainerStore
    /// The themes of containers.
    package let themes: ThemeStore
    /// Creates cards from events.
    package let events: CardEventService
    /// The feeds of users.
    package let feeds: FeedStore
    /// Applies the actions of users.
    package let actions: CardActionService
    /// Explains why a card is or is not shown.
    package let inspector: CardInspector
    /// The jobs that change feeds at their times.
    private let feedJobs: CardFeedJobs
    /// The counts of what happened to cards, for the pages.
    package let numbers: AnalyticsStore
    /// The segments that events can be sent to.
    let segments: any UserSegments
    let services: ServerServices

    /// Creates the feature with the segments of another feature, by default none.
    package init(_ services: ServerServices, segments: any UserSegments = NoSegments()) {
        let (database, now) = (services.database, services.now)
        let live = services.live
        let onChange: CardChangeHandler = { await live.changed($0) }
        // Its own lane: when a node stalls with locks on cards, the jobs of other nodes wait, but users do not.
        feedJobs = CardFeedJobs(database: database.lane("cards-clock"), now: now, onChange: onChange)
        let queue = services.jobs
        let wake: @Sendable () -> Void = { queue.wake() }
        templates = CardTemplateStore(database: database, now: now)
        containers = ContainerStore(database: database, now: now)
        themes = ThemeStore(database: database, now: now)
        events = CardEventService(
            database: database, now: now, onChange: onChange, wakeJobs: wake, jobs: queue, segments: segments
        )
        feeds = FeedStore(database: database, now: now, onChange: onChange)
        actions = CardActionService(
            database: database, now: now, onChange: onChange, layouts: feeds.layouts, wakeJobs: wake)
        inspector = CardInspector(database: database, now: now)
        numbers = AnalyticsStore(database: database, now: now)
        self.segments = segments
        self.services = services
    }

    package var migrations: [SQLMigration] { CardsSchema.migrations }

    package var jobs: [any JobHandler] {
        [feedJobs, CardAudienceJobs(events: events), CardDeliveryJobs(events: events)]
    }

    package func addRoutes(to routes: ServerRoutes) {
        addClientRoutes(to: routes.client)
        addBackendRoutes(to: routes.backend)
        let prefix = LiveMessage.cardTopic(container: "")
        services.live.registerVersionsLookup(forPrefix: prefix) { [feeds] topics in
            let byFeed = topics.map { topic in
                let container = CardContainerID(String(topic.topic.dropFirst(prefix.count)))
                return (
                    FeedVersions.Feed(
                        environmentID: topic.environmentID, userID: topic.userID, containerID: container),
                    topic
                )
            }
            let versions = try await feeds.versions(of: byFeed.map(\.0))
            return byFeed.reduce(into: [:]) { $0[$1.1] = versions[$1.0] }
        }
    }

    package func prepare(environment id: EnvironmentID, in connection: any SQLConnection) throws {
        try containers.save(id, id: CardContainerID("inbox"), name: "Inbox", in: connection)
    }
}
