public import InlaySurface
import InlayCore
import InlayWire

/// A vertical container of cards on screen: owns its state and knows what the user's events mean.
///
/// Several views may show it at once; they share cards, overlays and messages, and each has its own
/// light, language and text size. A card counts as displayed once per view and appearance.
public actor CardListSurface: Surface {
    /// `cards/` and the container's id.
    public nonisolated let name: String
    nonisolated let cards: Cards
    nonisolated let containerID: String
    nonisolated let tell: @Sendable (CardListOutcome) async -> Void
    let configuration: CardListConfiguration
    private let renderer: SurfaceRenderer
    private let resolver: CardResolver?
    private let media: SurfaceMedia

    var feed: CardFeedState
    var list = CardListState()
    private var filters: [CardFilter]
    private var appearanceFailure: CardConnectionError?
    private var views: [Int: CardListViewPort] = [:]
    private var nextID = 0
    /// States that were asked to be taken, and the latest that was.
    private var (asked, taken) = (0, 0)

    /// A list of a container's cards.
    ///
    /// - Parameters:
    ///   - outcome: hears what the user did, one call after the other per view.
    ///   - media: where the page gets images from; through its host unless set.
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    public init(
        _ cards: Cards, container: String, configuration: CardListConfiguration = CardListConfiguration(),
        filters: [CardFilter] = [], variables: RuntimeVariables? = nil, media: SurfaceMedia = .throughHost,
        outcome: @escaping @Sendable (CardListOutcome) async -> Void = { _ in }
    ) throws {
        name = "cards/\(container)"
        containerID = container
        self.cards = cards
        self.configuration = configuration
        self.filters = filters
        self.media = media
        tell = outcome
        renderer = try SurfaceRenderer.load()
        resolver = variables.map(cards.resolver)
        feed = CardFeedState(containerID: container)
    }

    /// Serves one view until its events end or the task is cancelled.
    public func run(_ link: SurfaceLink) async {
        let (id, redraws) = enter(link)
        await withTaskGroup { group in
            group.addTask { for await _ in redraws { await self.draw(id) } }
            group.addTask { await self.loadAppearance() }
            group.addTask { await self.follow(id) }
            group.addTask {
                for await message in link.events { await self.received(message, from: id) }
                // The view is gone; the other tasks have nobody to work for.
                await self.leave(id)
            }
            for await _ in group where views[id] == nil { group.cancelAll() }
        }
        leave(id)
    }

    /// Shows only the cards that match all of these from now on; an empty list shows all.
    public func apply(_ filters: [CardFilter]) {
        self.filters = filters
        redraw()
    }

    /// Asks the server for new cards now.
    public func refresh() async {
        // A failure is part of the feed's next state and shown from there.
        try? await cards.refresh(containerID)
    }

    /// Asks the app for its runtime variables again.
    public func updateVariables() async {
        await resolver?.forget()
        await take(await cards.engine.board.state(containerID))
    }

    /// The cards on screen now.
    public var shown: [Card] { feed.cards.filter(filters.match) }

    /// Draws every view again, soon.
    func redraw() { views.values.forEach { $0.redraw.yield() } }

    func view(_ id: Int) -> CardListViewPort? { views[id] }

    func changeView(_ id: Int, _ change: (inout CardListViewPort) -> Void) {
        guard var view = views[id] else { return }
        change(&view)
        views[id] = view
    }
}

// MARK: - Views

extension CardListSurface {
    private func enter(_ link: SurfaceLink) -> (Int, AsyncStream<Void>) {
        // Any number of changes between two drawings is one drawing.
        let (redraws, redraw) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        nextID += 1
        views[nextID] = CardListViewPort(link: link, redraw: redraw)
        redraw.yield()
        return (nextID, redraws)
    }

    private func leave(_ id: Int) {
        guard let view = views.removeValue(forKey: id) else { return }
        view.redraw.finish()
        guard views.isEmpty else { return }
        // Nobody sees the messages and the open subview any more; the next view starts clean.
        (list.toasts, list.overlay, list.problems, list.entered) = ([], nil, [:], [:])
    }

    private func draw(_ id: Int) async {
        guard let view = views[id] else { return }
        let now = cards.engine.session.serverClock.now()
        let state = state(for: view.environment)
        do {
            let frame = try CardListPresenter.present(
                state, configuration, environment: view.environment, media: media, now: now
            ).frame(renderer)
            let patch = SurfacePatch.between(view.frame, frame)
            views[id]?.frame = frame
            guard !patch.isEmpty else { return }
            await view.link.send(
                SurfaceMessage(
                    surface: name, kind: SurfaceMessage.Kind.patch, id: UUIDv7.make(at: now),
                    payload: patch.payload))
        } catch {
            cards.engine.session.log.operation("cards \(containerID): could not be drawn: \(error)")
        }
    }

    /// The list as this view shows it: dates in its language and time zone.
    private func state(for environment: SurfaceEnvironment) -> CardListState {
        var state = list
        state.phase = phase
        state.hadCards = feed.hadCards
        state.cards = shown.map { card in
            var values = card.values
            (values.locale, values.timeZone) = (environment.locale, environment.timeZone)
            return CardListItem(card.instance, layout: card.source, values: values)
        }
        return state
    }

    private var phase: CardListState.Phase {
        let hasFeed = feed.version != nil
        if list.appearance == nil || !hasFeed,
            let failure = appearanceFailure ?? (hasFeed ? nil : feed.failure)
        {
            // Cards without their theme are better than no cards: only a device that has neither waits.
            return hasFeed
                ? .ready : list.appearance == nil ? .firstLoadFailed(failure.shown) : .failed(failure.shown)
        }
        guard hasFeed else { return list.appearance == nil ? .firstLoad : .loading }
        return feed.failure.map { .failed($0.shown) } ?? .ready
    }
}

// MARK: - Loading

extension CardListSurface {
    private func follow(_ id: Int) async {
        let watch = CardWatch(
            engine: cards.engine, container: containerID, interval: configuration.pollInterval)
        for await state in watch.states({ $0 }) {
            await take(state)
            await announce(id)
        }
    }

    private func take(_ state: CardFeedState) async {
        asked += 1
        let number = asked
        var state = state
        if let resolver { state.cards = await resolver.fill(state.cards) }
        // Another state may have come while the app resolved variables; one of the same version may know of a
        // dismissal that this one does not.
        if number < taken || (state.version ?? .min) < (feed.version ?? .min) { return }
        taken = number
        feed = state
        // Else it would come back with the card, for example after a snooze on another device.
        if let id = list.overlay?.card, card(id) == nil { list.overlay = nil }
        redraw()
    }

    func loadAppearance() async {
        guard list.appearance == nil else { return }
        do {
            list.appearance = try await cards.appearance(containerID)
            appearanceFailure = nil
        } catch {
            appearanceFailure = error
        }
        redraw()
    }

    /// Tells once per appearance of a view that the container is on screen with its cards.
    private func announce(_ id: Int) async {
        guard feed.version != nil, views[id]?.wasAnnounced == false else { return }
        views[id]?.wasAnnounced = true
        await record(
            .streamDisplayed,
            properties: [
                "length": .integer(Int64(feed.total)), "visible": .integer(Int64(shown.count)),
                "mode": "stream",
            ])
    }

    /// "Try again": asks for whatever is missing.
    func retry() async {
        appearanceFailure = nil
        feed.failure = nil
        redraw()
        await loadAppearance()
        await refresh()
    }
}

extension CardConnectionError {
    /// What a user can do about it: look for a network, or only try again.
    fileprivate var shown: CardListState.Failure { isNetwork ? .noInternet : .dataLoad }
}

extension CardListConfiguration {
    /// Between polls while there is no socket; `nil` for never.
    var pollInterval: Duration? { cardListRefreshInterval > .zero ? cardListRefreshInterval : nil }
}
