import InlayCore
@_spi(Inlay) import InlayWire

/// The parts of the cards feature in one session.
final class CardEngine: Sendable {
    let session: SessionContext
    let store: CardStore
    let feeds: CardFeeds
    let refresher: CardFeedRefresher
    let actions: CardActions
    let analytics: CardAnalytics
    let appearances: CardAppearances

    init(_ session: SessionContext) {
        self.session = session
        let (work, outbox) = (session.work, session.outbox)
        let store = CardStore(session.store)
        self.store = store
        let feeds = CardFeeds(
            store: store, serverClock: session.serverClock, clock: session.clock, work: work)
        self.feeds = feeds
        // Ends when the lanes are registered.
        let ready = work.prepare {
            await outbox.register(CardActions.lane) { try CardStore.settle($1.map(\.outcome), in: $0) }
            await outbox.register(CardAnalytics.lane)
        }
        let analytics = CardAnalytics(
            outbox: outbox, api: session.api, events: session.events, serverClock: session.serverClock,
            log: session.log, ready: ready)
        self.analytics = analytics
        refresher = CardFeedRefresher(api: session.api, store: store, feeds: feeds, work: work) { feed in
            await analytics.record(.feedUpdated(feed, at: session.serverClock.now()), isSent: false)
        }
        appearances = CardAppearances(api: session.api, store: store, work: work)
        let refresher = refresher
        actions = CardActions(outbox: outbox, feeds: feeds, work: work, ready: ready) { pending, problem in
            await analytics.record(.refused(pending, problem, at: session.serverClock.now()), isSent: false)
            // The server's feed has the state of the card because of which the action was refused.
            await refresher.refresh(pending.containerID)
        }
        start(ready)
        session.onLogOut { await feeds.end() }
    }

    private func start(_ ready: Task<Void, Never>) {
        let (actions, analytics) = (actions, analytics)
        let (outbox, events) = (session.outbox, session.events.observe())
        // Both end with the session.
        session.work.start {
            await ready.value
            await actions.follow(await outbox.outcomes(lane: CardActions.lane.name))
        }
        session.work.start { await analytics.forward(events) }
    }
}

extension SessionEvent {
    fileprivate static func feedUpdated(_ feed: CardFeed, at time: Timestamp) -> SessionEvent {
        SessionEvent(
            .cardFeedUpdated, time: time, properties: ["count": .integer(Int64(feed.cards.elements.count))],
            containerID: feed.containerID)
    }

    fileprivate static func refused(_ pending: PendingCardAction, _ problem: Problem?, at time: Timestamp)
        -> SessionEvent
    {
        var properties: [String: JSONValue] = ["action": .string(pending.status.rawValue)]
        properties["code"] = (problem?.code.rawValue).map { .string($0) }
        return SessionEvent(
            .cardActionRefused, time: time, properties: properties, containerID: pending.containerID,
            itemID: pending.cardID)
    }
}
