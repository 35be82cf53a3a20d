import Hummingbird
import InlaySQL
import InlayWire
import Logging
import ServiceLifecycle

/// Cards on the server: templates, containers, themes, events, feeds, actions, and the clock.
package struct CardsFeature: ServerFeature {
    /// What authors write.
    package let templates: CardTemplateStore
    /// Where cards appear.
    package let containers: ContainerStore
    /// How they look.
    package let themes: ThemeStore
    /// What makes cards.
    package let events: CardEventService
    /// What users see.
    package let feeds: FeedStore
    /// What users do.
    package let actions: CardActionService
    /// Why a card is or is not shown.
    package let inspector: CardInspector
    /// What time does.
    package let clock: CardClock
    private let live: LiveHub
    private let logger: Logger

    init(_ services: ServerServices, segments: any UserSegments = NoSegments()) {
        let (database, now) = (services.database, services.now)
        let live = services.live
        let news: CardNews = { await live.changed($0) }
        // A lane of its own: when a node stands still with locks on cards, the clocks of other nodes wait, users do not.
        let clock = CardClock(
            database: database.lane("cards-clock"), now: now, news: news, logger: services.logger)
        let wake: @Sendable () -> Void = { clock.wake() }
        templates = CardTemplateStore(database: database, now: now)
        containers = ContainerStore(database: database, now: now)
        themes = ThemeStore(database: database, now: now)
        events = CardEventService(
            database: database, now: now, news: news, wakeClock: wake, segments: segments)
        feeds = FeedStore(database: database, now: now, news: news)
        actions = CardActionService(
            database: database, now: now, news: news, layouts: feeds.layouts, wakeClock: wake)
        inspector = CardInspector(database: database, now: now)
        self.clock = clock
        self.live = live
        logger = services.logger
    }

    package var migrations: [SQLMigration] { CardsSchema.migrations }

    package func addRoutes(to routes: ServerRoutes) {
        addClientRoutes(to: routes.client)
        addBackendRoutes(to: routes.backend)
        let prefix = LiveMessage.cardTopic(container: "")
        live.topicVersions(prefix) { [feeds] topics in
            let byFeed = topics.map { topic in
                let container = String(topic.topic.dropFirst(prefix.count))
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

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await clock.run() }
                group.addTask { await events.run(logger) }
            }
        }
    }
}
