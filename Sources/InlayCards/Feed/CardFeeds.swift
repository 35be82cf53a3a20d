import InlayCore
@_spi(Inlay) import InlayWire

/// The feeds of all containers in memory and the marks over them; observers receive what a container shows.
///
/// The only owner of that state: feeds, actions and the clock all change it here, so an observer
/// never sees a list that mixes two moments.
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
    private var hasMarks = false
    private var watchers: [Int: Watcher] = [:]
    private var nextID = 0
    private var wakeup: (at: Timestamp, task: Task<Void, Never>)?

    init(store: CardStore, serverClock: ServerClock, clock: any SessionClock, work: SessionWork) {
        self.store = store
        self.serverClock = serverClock
        self.clock = clock
        self.work = work
    }

    /// Reads what an earlier run left of a container; once, unless reading failed.
    func load(_ container: String) async throws {
        try await loadMarks()
        guard containers[container]?.feed == nil else { return }
        let stored = try await store.feed(container)
        // Another call may have read it meanwhile, or the network was faster than the disk.
        if containers[container]?.feed == nil {
            let failure = containers[container]?.failure
            containers[container] = CardContainer(id: container, stored: stored)
            containers[container]?.failure = failure
            if stored != nil { publish([container]) }
        }
    }

    /// Reads the marks of an earlier run; once, unless reading failed.
    func loadMarks() async throws {
        guard !hasMarks else { return }
        let stored = try await store.pendingActions()
        let storedSeen = try await store.seen()
        guard !hasMarks else { return }
        hasMarks = true
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

    /// The current state of the container.
    func state(_ container: String) -> CardFeedState {
        (containers[container] ?? CardContainer(id: container))
            .state(at: serverClock.now(), pendingActions: pendingActions, seen: seen)
    }

    /// The containers whose feeds the server confirmed in this run and that are being watched.
    func watched() -> [CardFeedState] {
        Set(watchers.values.map(\.container)).map(state).filter(\.isCurrent)
    }

    /// A container as it is, for explanations.
    func inspect(_ container: String) -> (
        container: CardContainer?, pendingActions: PendingCardActions, now: Timestamp
    ) {
        (containers[container], pendingActions, serverClock.now())
    }

    /// A card by its id, in this container or in any other, hidden or not.
    func card(_ id: String, in container: String) -> Card? {
        containers[container]?.card(id) ?? containers.values.lazy.compactMap { $0.card(id) }.first
    }

    /// Ends every watcher and forgets the user.
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
    /// The version of the container's feed; `nil` before the first.
    func version(_ container: String) -> Int64? { containers[container]?.feed?.version }

    /// The marks whose actions the server has answered; ask before a request for a feed starts.
    var answered: Set<String> { pendingActions.answered }

    /// Takes in a feed that the store took, and forgets the marks that the store released.
    ///
    /// Returns whether it was newer than the one before.
    func take(_ feed: CardFeed, released: [String]) -> Bool {
        let isNewer = containers[feed.containerID, default: CardContainer(id: feed.containerID)].take(feed)
        forget(released)
        publish([feed.containerID])
        return isNewer
    }

    /// The server said that the container's feed is the newest.
    func confirm(_ container: String, released: [String]) {
        containers[container, default: CardContainer(id: container)].confirm()
        forget(released)
        publish([container])
    }

    /// A request for the container's feed failed; what is known stays.
    func fail(_ container: String, _ failure: CardConnectionError) {
        containers[container, default: CardContainer(id: container)].failure = failure
        publish([container])
    }

    private func forget(_ released: [String]) { pendingActions.remove(released) }
}

// MARK: - Marks

extension CardFeeds {
    /// Hides a card for an action that is about to be stored; gives the mark of an earlier closing
    /// action instead when there is one.
    func pending(_ pending: PendingCardAction) -> PendingCardAction? {
        if let earlier = pendingActions.closing(pending.cardID) { return earlier }
        pendingActions.insert(pending)
        publish(Array(containers.keys))
        return nil
    }

    /// Takes a mark back: the action was not stored, or the server refused it.
    func unmark(_ actionID: String) {
        pendingActions.remove([actionID])
        publish(Array(containers.keys))
    }

    /// The server has the action.
    func settle(_ actionID: String) {
        pendingActions.settle(actionID)
        publish(Array(containers.keys))
    }

    /// Notes that a card was on screen, and returns whether that changed anything.
    func see(_ card: String) -> Bool {
        guard seen.insert(card).inserted else { return false }
        publish(Array(containers.keys))
        return true
    }
}

// MARK: - Telling

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

    /// Wakes the feeds when the next card comes or goes by the clock alone; never without a watcher.
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
            // Cancelled by the next alarm and by `end()`.
            let task = work.start { [weak self] in
                guard (try? await clock.sleep(for: next - now)) != nil else { return }
                await self?.rang(next)
            }
            return (next, task)
        }
    }

    private func rang(_ moment: Timestamp) {
        guard wakeup?.at == moment else { return }
        wakeup = nil
        publish(Set(watchers.values.map(\.container)).sorted())
    }
}
