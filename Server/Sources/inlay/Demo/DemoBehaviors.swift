import InlayBehaviors
@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayCore
import InlayHubServer
@_spi(Inlay) import InlayWire

/// The events that the demo app tracks for its passenger.
struct DemoBehaviors: Sendable {
    private let session: InlaySession

    /// Starts the feature.
    init(_ session: InlaySession) {
        self.session = session
        session.startBehaviors(BehaviorsConfiguration())
    }

    /// Tracks events until the task is cancelled, then the end of the app session. Sends each at once, so that it
    /// appears in the Workbench.
    func run() async {
        let events = session.events.observe()
        try? await session.behaviors.setIdentity(BehaviorIdentity(primaryUserID: HarborCompany.maya.rawValue))
        try? await session.behaviors.appBecameActive()
        await session.behaviors.postEventCache()
        for await event in events {
            guard let behavior = Self.behavior(event) else { continue }
            // Losing an event does no harm in a demo.
            _ = try? await session.behaviors.track(behavior)
            await session.behaviors.postEventCache()
        }
        try? await session.behaviors.appWasLeft()
    }

    private static func behavior(_ event: SessionEvent) -> Behavior? {
        let card = event.cardID.map { ["Card": JSONValue.string($0)] } ?? [:]
        return switch event.name {
        case .cardDisplayed: .named("Card seen", attributes: card)
        case .cardCompleted: .goalCompleted("Card answered", attributes: card)
        case .cardDismissed: .goalAbandoned("Card answered", attributes: card)
        case .userRedirected: .named("Link opened", attributes: card)
        default: nil
        }
    }
}
