@_spi(Inlay) package import InlayCards
internal import InlayCore
internal import InlaySurface
internal import InlayWire

#if canImport(UIKit)
    // For `NSCoder`.
    public import Foundation
#else
    import Foundation
#endif

/// A vertical container of cards.
///
/// Holds the container's surface, which a host draws. Without a host, the controller still stores its filters, and
/// `refresh` fetches cards.
@MainActor open class AACStreamContainerViewController: UIViewController {
    /// The stream container id.
    public let identifier: String
    /// The copy of the configuration that was made when the container was created.
    public let configuration: AACConfiguration
    private var filters: [CardFilter] = []
    /// The queue that passes filters to the surface in the order of the calls.
    private let filterQueue = SerialQueue()
    private var cachedSurface: CardListSurface?
    /// The session whose cards `cachedSurface` shows.
    private weak var session: InlaySession?

    /// Creates a container with an id and a copy of the configuration.
    public init(identifier: String, configuration: AACConfiguration) {
        self.identifier = identifier
        // The cast always succeeds: `copy` returns a configuration.
        self.configuration = (configuration.copy() as? AACConfiguration) ?? configuration
        #if canImport(UIKit)
            super.init(nibName: nil, bundle: nil)
        #else
            super.init()
        #endif
    }

    #if canImport(UIKit)
        /// Not supported: a container needs its id.
        @available(*, unavailable) public required init?(coder: NSCoder) { nil }
    #endif

    /// Returns the surface for a host, which is created once for each session; throws `SessionError.loggedOut` when no
    /// user is logged in.
    package func surface() async throws -> CardListSurface {
        try await surface(of: AACSession.runtime.opening())
    }

    private func surface(of opening: AtomicOpening) async throws -> CardListSurface {
        let session = try await opening.session()
        if let cachedSurface, self.session === session { return cachedSurface }
        let surface = try CardListSurface(
            session.cards, container: identifier, configuration: configuration.list, filters: filters,
            variables: DelegateVariables.make(
                configuration.runtimeVariableDelegate, limit: configuration.runtimeVariableResolutionTimeout,
                sendsAnalytics: configuration.features.runtimeVariableAnalytics)
        ) { [weak self] outcome in await self?.handle(outcome) }
        (cachedSurface, self.session) = (surface, session)
        return surface
    }

    /// Shows only cards that match the filter; `nil` removes all filters.
    public func apply(_ filter: AACCardFilter?) { apply(filter.map { [$0] }) }

    /// Shows only cards that match every filter; `nil` and an empty list remove all filters.
    public func apply(_ filters: [AACCardFilter]?) {
        self.filters = AACCardFilter.engine(filters)
        let (surface, applied) = (cachedSurface, self.filters)
        filterQueue.add { await surface?.apply(applied) }
    }

    /// Fetches new cards now.
    public func refresh() {
        let opening = AACSession.runtime.required("refresh")
        // Ends with the server's response. The list shows a failure; after a log-out there is no list.
        Task { try? await surface(of: opening).refresh() }
    }

    /// Asks the delegate for runtime variables again.
    public func updateVariables() {
        let opening = AACSession.runtime.required("updateVariables")
        // Ends when the delegate has answered, at its time limit, or with a log-out.
        Task { try? await surface(of: opening).updateVariables() }
    }

    private func handle(_ outcome: CardListSurface.Outcome) {
        func notify(_ kind: AACCardEventKind) {
            configuration.cardEventDelegate?.streamContainer(self, didTriggerCardEvent: AACCardEvent(kind))
        }
        switch outcome {
        case .headerButton: configuration.actionDelegate?.streamContainerDidTapActionButton(self)
        case .submitted: notify(.submitted)
        case .dismissed: notify(.dismissed)
        case .snoozed: notify(.snoozed)
        case .votedUseful: notify(.votedUseful)
        case .votedNotUseful: notify(.votedNotUseful)
        case .submitFailed: notify(.submitFailed)
        case .dismissFailed: notify(.dismissFailed)
        case .snoozeFailed: notify(.snoozeFailed)
        case .linkPayload(let card, let payload):
            configuration.actionDelegate?.streamContainerDidTapLinkButton(self, with: action(card, payload))
        case .submitPayload(let card, let payload):
            configuration.actionDelegate?.streamContainerDidTapSubmitButton(self, with: action(card, payload))
        case .opened: break
        }
    }

    private func action(_ card: String, _ payload: [String: JSONValue]) -> AACCardCustomAction {
        AACCardCustomAction(cardID: card, containerID: identifier, payload: payload.mapValues(\.plain))
    }
}
