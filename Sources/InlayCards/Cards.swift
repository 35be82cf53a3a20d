public import InlayCore
@_spi(Inlay) public import InlayWire

extension InlaySession {
    /// The cards of this session's user.
    public var cards: Cards { Cards(feature(CardEngine.self) { CardEngine($0) }) }
}

/// Action cards: what containers show, what the user does to cards, and how many there are.
///
/// ```swift
/// for await state in session.cards.observe("inbox") {
///     badge = state.unseen
/// }
/// ```
/// Feeds and actions are kept on disk: what was shown last is there at once, also offline, and what the
/// user did is sent when it can be, once.
public struct Cards: Sendable {
    let engine: CardEngine

    init(_ engine: CardEngine) { self.engine = engine }

    /// The poll interval of a container while there is no live connection.
    public static let defaultInterval = Duration.seconds(15)

    /// The container's states from now on: at once what this device has, then every change.
    ///
    /// Any number of observers may run. A slow observer skips states and always gets the newest. Ends
    /// when the observer stops iterating or the session is logged out.
    ///
    /// - Parameters:
    ///   - filters: a card must match all of them.
    ///   - interval: between polls while there is no live connection; below 1 s becomes 1 s, `nil` turns
    ///     polling off.
    ///   - variables: resolves runtime variables; without it they have their defaults.
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

    /// Asks the server now and gives the container's cards.
    ///
    /// - Throws: `CardConnectionError`. What the device has all the same, `observe` shows.
    public func cards(in containerID: String, filters: [CardFilter] = []) async throws(CardConnectionError)
        -> [Card]
    {
        try await refresh(containerID)
        return await engine.feeds.state(containerID).cards.filter(filters.match)
    }

    /// Asks the server for the container's feed now; observers see what it brings.
    public func refresh(_ containerID: String) async throws(CardConnectionError) {
        try Self.check(containerID)
        try await engine.puller.refresh(containerID).get()
    }

    /// The state of a container on the device, without a request to the server.
    public func current(_ containerID: String) async -> CardFeedState {
        // When the store cannot be read the state stays empty, and there is nothing else to report.
        try? await engine.feeds.load(containerID)
        return await engine.feeds.state(containerID)
    }

    /// The numbers of the user's cards in all containers.
    ///
    /// The server counts. A container that is being observed counts what it shows, so that a card the
    /// user just dismissed is in neither list nor badge.
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

    /// The container's appearance; the cached one at once where there is one.
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
    /// Reports that a card was on screen: it counts as seen from now on.
    ///
    /// An app that draws cards without `CardListSurface` calls this once per card, view and appearance, when half of
    /// the card, or of the view where the card is higher, was visible for one second.
    public func displayed(_ cardID: String, in containerID: String) async {
        if await engine.feeds.see(cardID) {
            do {
                try await engine.store.markSeen(cardID)
            } catch {
                // The count is right until the app ends, and again when the server has the event.
                engine.session.log.operation("cards: \(cardID) could not be kept as seen: \(error)")
            }
        }
        await engine.analytics.record(
            SessionEvent(
                .cardDisplayed, time: engine.session.serverClock.now(), containerID: containerID,
                itemID: cardID))
    }
}
