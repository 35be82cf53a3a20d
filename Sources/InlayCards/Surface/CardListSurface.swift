@_spi(Inlay) public import InlayCardsView
@_spi(Inlay) public import InlaySurface
import InlayCore
@_spi(Inlay) public import InlayWire

/// The surface of a vertical container of cards: owns the state of the list and handles the user's events.
///
/// Several views may show the surface at once. They share cards, overlays and toasts, and each has its own color
/// scheme, language and text size. A card counts as displayed once per view and appearance of the view.
public actor CardListSurface: Surface, FrameSurface {
    /// The name of the surface: `cards/` and the container's id.
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
    /// The numbers of the newest received state and of the newest applied one.
    private var (lastReceived, lastApplied) = (0, 0)

    /// Creates the surface of a container.
    ///
    /// - Parameters:
    ///   - media: the source of the page's images; by default its host.
    ///   - outcome: the receiver of the user's events. The events of one view are sent one after the other.
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

    /// Replaces the filters: shows the cards that match all of them. An empty list shows all cards.
    public func apply(_ filters: [CardFilter]) {
        self.filters = filters
        redraw()
    }

    /// Requests the container's feed now.
    public func refresh() async {
        // A failure is part of the feed's next state, which is shown.
        try? await cards.refresh(containerID)
    }

    /// Resolves the runtime variables of the cards again.
    public func updateVariables() async {
        await resolver?.forget()
        await take(await cards.engine.feeds.state(containerID))
    }

    /// The cards on screen now.
    public var shown: [Card] { feed.cards.filter(filters.match) }

    /// Schedules a redraw of all views.
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

    /// Resets toasts, overlay and inputs, so that the next view starts without them.
    package func lastViewClosed() {
        (list.toasts, list.overlay, list.problems, list.entered) = ([], nil, [:], [:])
    }

    package func act(on message: SurfaceMessage, from id: SurfaceViewID) async -> FrameSurfaceRedraw {
        guard let event = CardListEvent(message) else { return .none }
        await act(on: event, from: id)
        return .all
    }

    package func log(_ text: String) { cards.engine.session.log.operation(text) }

    /// Returns the state of the list for one view, with dates in the view's language and time zone.
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
            // Cards are shown even without their theme. Without cards, the failure is shown.
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
        lastReceived += 1
        let number = lastReceived
        var state = state
        if let resolver { state.cards = await resolver.fill(state.cards) }
        // A later state may have been applied while the app resolved variables. Even with the same version, it may
        // include a dismissal that this state does not.
        if number < lastApplied || (state.version ?? .min) < (feed.version ?? .min) { return }
        lastApplied = number
        feed = state
        // Otherwise the overlay would return with its card, for example after a snooze on another device.
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

    /// Records that the container is on screen with its cards; once per appearance of a view.
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

    /// Requests the appearance, when it is missing, and the feed. Called by the button "Try again".
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
    /// The time between polls while there is no socket; `nil` turns polling off.
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
        /// The action button, Close or Back at the top left was pressed.
        case headerButton
        /// The server has the submission.
        case submitted(card: String, button: String?)
        case dismissed(card: String)
        case snoozed(card: String, until: Timestamp)
        case votedUseful(card: String)
        case votedNotUseful(card: String, reason: String, text: String?)
        /// The action failed, and the card is shown again. An action that only waits for the network has not failed.
        case submitFailed(card: String, CardActionError)
        case dismissFailed(card: String, CardActionError)
        case snoozeFailed(card: String, CardActionError)
        /// A link button or an image with this payload for the app was pressed.
        case linkPayload(card: String, [String: JSONValue])
        /// A submit button with this payload for the app was pressed, and the server has the submission.
        case submitPayload(card: String, [String: JSONValue])
        /// The user follows a link to this address. The view opens http, https, mailto and tel; the app has to open its
        /// own schemes.
        case opened(card: String, address: String)
    }
}
