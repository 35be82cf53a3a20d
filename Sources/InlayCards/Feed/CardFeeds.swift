import InlayCore
@_spi(Inlay) import InlayWire

/// The feeds of all containers in memory, with the user's pending actions. Publishes the containers' states.
///
/// This actor is the only owner of that state: feeds, actions and the clock all change it here, so that an observer
/// never gets a list that mixes two states.
actor CardFeeds {
    private struct Watcher {
        let container: String
        let continuation: AsyncStream<CardFeedState>.Continuation
    }

    private let store: CardStore
    private let serverClock: ServerClock
    private let clock: any SessionClock
    private let work: SessionWork
    private var containers: [String: CardContainer] = [:]
    private var pendingActions = PendingCardActions()
    private var seen: Set<String> = []
    private var isLoaded = false
    private var watchers: [Int: Watcher] = [:]
    private var nextID = 0
    private var wakeup: (at: Timestamp, task: Task<Void, Never>)?

    init(store: CardStore, serverClock: ServerClock, clock: any SessionClock, work: SessionWork) {
        self.store = store
        self.serverClock = serverClock
        self.clock = clock
        self.work = work
    }

    /// Reads the stored feed of a container. Does nothing when there is already a feed in memory.
    func load(_ container: String) async throws {
        try await loadPendingActions()
        guard containers[container]?.feed == nil else { return }
        let stored = try await store.feed(container)
        // Another call may have read the feed meanwhile, or a response may have arrived.
        if containers[container]?.feed == nil {
            let failure = containers[container]?.failure
            containers[container] = CardContainer(id: container, stored: stored)
            containers[container]?.failure = failure
            if stored != nil { publish([container]) }
        }
    }

    /// Reads the pending actions and the seen cards of earlier runs; once, unless reading failed.
    func loadPendingActions() async throws {
        guard !isLoaded else { return }
        let stored = try await store.pendingActions()
        let storedSeen = try await store.seen()
        guard !isLoaded else { return }
        isLoaded = true
        stored.byAction.values.forEach {
            if pendingActions.byAction[$0.actionID] == nil { pendingActions.insert($0) }
        }
        seen.formUnion(storedSeen)
    }

    /// Returns the container's states: the current one, if anything is known, and each later one.
    func watch(_ container: String) -> AsyncStream<CardFeedState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: CardFeedState.self, bufferingPolicy: .bufferingNewest(1))
        nextID += 1
        let id = nextID
        watchers[id] = Watcher(container: container, continuation: continuation)
        continuation.onTermination = { [weak self, work] _ in
            // Ends as soon as the actor is free.
            work.start { [weak self] in await self?.unwatch(id) }
        }
        if let state = publishable(container) { continuation.yield(state) }
        scheduleWakeup()
        return stream
    }

    /// Returns the current state of the container.
    func state(_ container: String) -> CardFeedState {
        (containers[container] ?? CardContainer(id: container))
            .state(at: serverClock.now(), pendingActions: pendingActions, seen: seen)
    }

    /// Returns the states of the watched containers whose feeds the server confirmed in this run.
    func watched() -> [CardFeedState] {
        Set(watchers.values.map(\.container)).map(state).filter(\.isCurrent)
    }

    /// Returns a container with the pending actions and the time, for explanations.
    func inspect(_ container: String) -> (
        container: CardContainer?, pendingActions: PendingCardActions, now: Timestamp
    ) {
        (containers[container], pendingActions, serverClock.now())
    }

    /// Returns a card of this container, or else of any other, even a hidden one.
    func card(_ id: String, in container: String) -> Card? {
        containers[container]?.card(id) ?? containers.values.lazy.compactMap { $0.card(id) }.first
    }

    /// Ends all streams and removes the user's data from memory.
    func end() {
        wakeup?.task.cancel()
        wakeup = nil
        (containers, pendingActions, seen) = ([:], PendingCardActions(), [])
        let ended = watchers
        watchers = [:]
        ended.values.forEach { $0.continuation.finish() }
    }

    private func unwatch(_ id: Int) {
        watchers[id] = nil
        scheduleWakeup()
    }
}

// MARK: - Feeds

extension CardFeeds {
    /// Returns the version of the container's feed; `nil` before the first.
    func version(_ container: String) -> Int64? { containers[container]?.feed?.version }

    /// The ids of the pending actions that the server has answered. Must be read before a request for a feed starts.
    var answered: Set<String> { pendingActions.answered }

    /// Replaces the feed with one that was stored, and removes the pending actions that the store released.
    ///
    /// Returns whether the feed is newer than the one before.
    func take(_ feed: CardFeed, released: [String]) -> Bool {
        let isNewer = containers[feed.containerID, default: CardContainer(id: feed.containerID)].take(feed)
        pendingActions.remove(released)
        publish([feed.containerID])
        return isNewer
    }

    /// Notes that the server confirmed the container's feed as the newest.
    func confirm(_ container: String, released: [String]) {
        containers[container, default: CardContainer(id: container)].confirm()
        pendingActions.remove(released)
        publish([container])
    }

    /// Notes that a request for the container's feed failed. The feed stays.
    func fail(_ container: String, _ failure: CardConnectionError) {
        containers[container, default: CardContainer(id: container)].failure = failure
        publish([container])
    }
}

// MARK: - Actions

extension CardFeeds {
    /// Hides a card for an action that is about to be stored. When an earlier action has closed the card, returns that
    /// action and adds none.
    func pending(_ pending: PendingCardAction) -> PendingCardAction? {
        if let earlier = pendingActions.closing(pending.cardID) { return earlier }
        pendingActions.insert(pending)
        publish(Array(containers.keys))
        return nil
    }

    /// Removes a pending action that could not be stored or that the server refused, and shows the card again.
    func removePendingAction(_ actionID: String) {
        pendingActions.remove([actionID])
        publish(Array(containers.keys))
    }

    /// Notes that the server has the action.
    func settle(_ actionID: String) {
        pendingActions.settle(actionID)
        publish(Array(containers.keys))
    }

    /// Notes that a card was on screen, and returns whether that changed anything.
    func markSeen(_ card: String) -> Bool {
        guard seen.insert(card).inserted else { return false }
        publish(Array(containers.keys))
        return true
    }
}

// MARK: - Publishing

extension CardFeeds {
    private func publish(_ changed: [String]) {
        for container in changed {
            guard let state = publishable(container) else { continue }
            for watcher in watchers.values where watcher.container == container {
                watcher.continuation.yield(state)
            }
        }
        scheduleWakeup()
    }

    /// Returns the state to publish; `nil` while nothing is known of the container, not even a failure.
    private func publishable(_ container: String) -> CardFeedState? {
        guard let known = containers[container], known.feed != nil || known.failure != nil else { return nil }
        return state(container)
    }

    /// Schedules the next publication for the time at which a card appears or disappears by itself. Without a watcher,
    /// none is scheduled.
    private func scheduleWakeup() {
        let now = serverClock.now()
        let watched = Set(watchers.values.map(\.container))
        let next = watched.compactMap {
            containers[$0]?.nextChange(after: now, pendingActions: pendingActions)
        }.min()
        guard next != wakeup?.at else { return }
        wakeup?.task.cancel()
        wakeup = next.map { next in
            let clock = clock
            // The next wakeup and `end()` cancel it.
            let task = work.start { [weak self] in
                guard (try? await clock.sleep(for: next - now)) != nil else { return }
                await self?.wakeUp(at: next)
            }
            return (next, task)
        }
    }

    private func wakeUp(at moment: Timestamp) {
        guard wakeup?.at == moment else { return }
        wakeup = nil
        publish(Set(watchers.values.map(\.container)).sorted())
    }
}
