public import InlayCore
@_spi(Inlay) public import InlayWire

extension InlaySession {
    /// The cards of this session's user.
    public var cards: Cards { Cards(feature(CardEngine.self) { CardEngine($0) }) }
}

/// The cards of a user: the states of containers, the actions on cards, and the counts.
///
/// ```swift
/// for await state in session.cards.observe("inbox") {
///     badge = state.unseen
/// }
/// ```
/// Feeds and actions are stored on the device. The last feed is shown at once, even offline, and each action of the
/// user is sent once, as soon as possible.
public struct Cards: Sendable {
    let engine: CardEngine

    init(_ engine: CardEngine) { self.engine = engine }

    /// The poll interval of a container while there is no live connection.
    public static let defaultInterval = Duration.seconds(15)

    /// Returns a stream of the container's states: the stored state at once, then every change.
    ///
    /// Any number of observers may run. A slow observer skips states and always gets the newest. Ends
    /// when the observer stops iterating or the session is logged out.
    ///
    /// - Parameters:
    ///   - filters: the filters, all of which a card must match.
    ///   - interval: the time between polls while there is no live connection; less than 1 s becomes 1 s, `nil` turns
    ///     polling off.
    ///   - variables: the resolver of runtime variables; without it they have their defaults.
    public func observe(
        _ containerID: String, filters: [CardFilter] = [], pollEvery interval: Duration? = defaultInterval,
        variables: RuntimeVariables? = nil
    ) -> AsyncStream<CardFeedState> {
        let resolver = variables.map(resolver)
        let watch = CardWatch(
            engine: engine, container: containerID, interval: interval.map { max($0, .seconds(1)) })
        return watch.states { state in
            var changed = state
            changed.cards = state.cards.filter(filters.match)
            if let resolver { changed.cards = await resolver.fill(changed.cards) }
            return changed
        }
    }

    /// Requests the container's feed and returns the cards that match the filters.
    ///
    /// - Throws: `CardConnectionError`. The stored cards are available through `observe` and `current`.
    public func cards(in containerID: String, filters: [CardFilter] = []) async throws(CardConnectionError)
        -> [Card]
    {
        try await refresh(containerID)
        return await engine.feeds.state(containerID).cards.filter(filters.match)
    }

    /// Requests the container's feed now. Observers receive the new state.
    public func refresh(_ containerID: String) async throws(CardConnectionError) {
        try Self.check(containerID)
        try await engine.refresher.refresh(containerID).get()
    }

    /// Returns the state of a container on the device, without a request to the server.
    public func current(_ containerID: String) async -> CardFeedState {
        // When the store cannot be read, the state is empty.
        try? await engine.feeds.load(containerID)
        return await engine.feeds.state(containerID)
    }

    /// Requests the numbers of the user's cards in all containers.
    ///
    /// For a container that is observed, the numbers on this device replace the server's, so that a card that the user
    /// has just dismissed is not counted.
    public func counts() async throws(CardConnectionError) -> CardCounts {
        do {
            var counts = try await engine.session.api.get(InlayPath.cardCounts).decoded(CardCounts.self)
            for state in await engine.feeds.watched() {
                counts.containers[state.containerID] = .init(total: state.total, unseen: state.unseen)
            }
            return counts
        } catch {
            throw CardConnectionError(error)
        }
    }

    /// Returns the container's stored appearance, or requests one when none is stored.
    ///
    /// A newer appearance is fetched in the background and used from the next launch on.
    @_spi(Inlay) public func appearance(_ containerID: String) async throws(CardConnectionError)
        -> CardAppearance
    {
        try Self.check(containerID)
        return try await engine.appearances.appearance(containerID)
    }

    @Sendable func resolver(_ variables: RuntimeVariables) -> CardResolver {
        let engine = engine
        return CardResolver(variables, clock: engine.session.clock, work: engine.session.work) { card in
            let values = card.resolved.mapValues { JSONValue.string($0) }
            await engine.analytics.record(
                SessionEvent(
                    .runtimeVariablesUpdated, time: engine.session.serverClock.now(),
                    properties: ["variables": .object(values)], containerID: card.containerID, itemID: card.id
                ),
                isSent: variables.sendsAnalytics)
        }
    }

    static func check(_ containerID: String) throws(CardConnectionError) {
        guard IDRule.admits(containerID) else {
            throw .refused(
                Problem(
                    .invalidValue, status: 400, title: "Not a container id",
                    detail: "An id has 1 to 128 characters; this one has \(containerID.count)."))
        }
    }
}

extension Cards {
    /// Reports that a card was on screen. From now on the card counts as seen.
    ///
    /// An app that draws cards without `CardListSurface` calls this once per card, view and appearance of the view,
    /// when half of the card was visible for one second, or the card filled half of the view for one second.
    public func displayed(_ cardID: String, in containerID: String) async {
        if await engine.feeds.markSeen(cardID) {
            do {
                try await engine.store.markSeen(cardID)
            } catch {
                // The card counts as seen until the app ends, and again when the server has the event.
                engine.session.log.operation("cards: \(cardID) could not be kept as seen: \(error)")
            }
        }
        await engine.analytics.record(
            SessionEvent(
                .cardDisplayed, time: engine.session.serverClock.now(), containerID: containerID,
                itemID: cardID))
    }
}
