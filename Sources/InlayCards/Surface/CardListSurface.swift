@_spi(Inlay) public import InlayCardsView
@_spi(Inlay) public import InlaySurface
import InlayCore
@_spi(Inlay) public import InlayWire

/// A vertical container of cards on screen: owns its state and knows what the user's events mean.
///
/// Several views may show it at once; they share cards, overlays and messages, and each has its own
/// light, language and text size. A card counts as displayed once per view and appearance.
public actor CardListSurface: Surface, FrameSurface {
    /// `cards/` and the container's id.
    public nonisolated let name: String
    public nonisolated let assets = SurfaceAssets.cards
    nonisolated let cards: Cards
    nonisolated let containerID: String
    nonisolated let report: @Sendable (CardListSurface.Outcome) async -> Void
    let configuration: CardListConfiguration
    private let renderer: SurfaceRenderer
    private let resolver: CardResolver?
    private let media: SurfaceMedia

    var feed: CardFeedState
    var list = CardListState()
    private var filters: [CardFilter]
    private var appearanceFailure: CardConnectionError?
    package var views = SurfaceViews(state: CardListViewState())
    /// States that were asked to be taken, and the latest that was.
    private var (lastRequest, lastApplied) = (0, 0)

    /// A list of a container's cards.
    ///
    /// - Parameters:
    ///   - outcome: hears what the user did, one call after the other per view.
    ///   - media: where the page gets images from; through its host unless set.
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    public init(
        _ cards: Cards, container: String, configuration: CardListConfiguration = CardListConfiguration(),
        filters: [CardFilter] = [], variables: RuntimeVariables? = nil, media: SurfaceMedia = .throughHost,
        outcome: @escaping @Sendable (CardListSurface.Outcome) async -> Void = { _ in }
    ) throws {
        name = "cards/\(container)"
        containerID = container
        self.cards = cards
        self.configuration = configuration
        self.filters = filters
        self.media = media
        report = outcome
        renderer = try assets.renderer()
        resolver = variables.map(cards.resolver)
        feed = CardFeedState(containerID: container)
    }

    /// Serves one view until its events end or the task is cancelled.
    public func run(_ link: SurfaceLink) async {
        await serve(link) { id in
            async let appearance: Void = self.loadAppearance()
            await self.follow(id)
            await appearance
        }
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
        await take(await cards.engine.feeds.state(containerID))
    }

    /// The cards on screen now.
    public var shown: [Card] { feed.cards.filter(filters.match) }

    /// Draws every view again, soon.
    func redraw() { views.redraw() }
}

// MARK: - Views

extension CardListSurface {
    package func frame(for view: SurfaceViews<CardListViewState>.View) throws -> SurfaceFrame? {
        try CardListPresenter.present(
            state(for: view.environment), configuration, environment: view.environment, media: media,
            now: cards.engine.session.serverClock.now()
        ).frame(renderer)
    }

    /// The next view starts without the messages and the subview that nobody sees any more.
    package func lastViewClosed() {
        (list.toasts, list.overlay, list.problems, list.entered) = ([], nil, [:], [:])
    }

    package func act(on message: SurfaceMessage, from id: SurfaceViewID) async -> FrameSurfaceRedraw {
        guard let event = CardListEvent(message) else { return .none }
        await act(on: event, from: id)
        return .all
    }

    package func log(_ text: String) { cards.engine.session.log.operation(text) }

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
    private func follow(_ id: SurfaceViewID) async {
        let watch = CardWatch(
            engine: cards.engine, container: containerID, interval: configuration.pollInterval)
        for await state in watch.states({ $0 }) {
            await take(state)
            await announce(id)
        }
    }

    private func take(_ state: CardFeedState) async {
        lastRequest += 1
        let number = lastRequest
        var state = state
        if let resolver { state.cards = await resolver.fill(state.cards) }
        // Another state may have come while the app resolved variables; one of the same version may know of a
        // dismissal that this one does not.
        if number < lastApplied || (state.version ?? .min) < (feed.version ?? .min) { return }
        lastApplied = number
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

    /// Records once per appearance of a view that the container is on screen with its cards.
    private func announce(_ id: SurfaceViewID) async {
        guard feed.version != nil, views[id]?.state.wasAnnounced == false else { return }
        views.changeState(of: id) { $0.wasAnnounced = true }
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
    /// The failure that the list shows: no network, or data that did not load.
    fileprivate var shown: CardListState.Failure { isNetwork ? .noInternet : .dataLoad }
}

extension CardListConfiguration {
    /// Between polls while there is no socket; `nil` for never.
    var pollInterval: Duration? { cardListRefreshInterval > .zero ? cardListRefreshInterval : nil }
}

/// The counters of a list of cards for one of its views.
package struct CardListViewState: Sendable {
    /// Whether `stream-displayed` was recorded for this appearance.
    var wasAnnounced = false
    /// The cards that were counted as displayed in this appearance.
    var displayed: Set<String> = []
}

extension CardListSurface {
    /// An event of a list of cards on screen, for the app.
    public enum Outcome: Hashable, Sendable {
        /// Action button, Close or Back at the top left was pressed.
        case headerButton
        /// The server has the submission.
        case submitted(card: String, button: String?)
        case dismissed(card: String)
        case snoozed(card: String, until: Timestamp)
        case votedUseful(card: String)
        case votedNotUseful(card: String, reason: String, text: String?)
        /// The action did not happen, and the card is back; an action that only waits for the network is no failure.
        case submitFailed(card: String, CardActionError)
        case dismissFailed(card: String, CardActionError)
        case snoozeFailed(card: String, CardActionError)
        /// A link button or an image hands this to the app.
        case linkPayload(card: String, [String: JSONValue])
        /// A submit button hands this to the app; comes after the server has the submission.
        case submitPayload(card: String, [String: JSONValue])
        /// The user goes to this address: http, https, mailto, tel, or a scheme of the app's own. The view
        /// opens it; the app opens its own schemes.
        case opened(card: String, address: String)
    }
}
