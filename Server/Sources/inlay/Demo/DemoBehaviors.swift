import InlayBehaviors
import InlayCards
import InlayCore
import InlayWire

/// What the demo's app tells of its passenger: sessions, what is opened, what is completed.
struct DemoBehaviors: Sendable {
    private let session: InlaySession

    /// Starts the feature; events leave at once, so that who watches the Workbench sees them come.
    init(_ session: InlaySession) {
        self.session = session
        session.startBehaviors(BehaviorsConfiguration())
    }

    /// Tells until the task is cancelled, and then that the app was left.
    func run() async {
        let facts = session.events.observe()
        try? await session.behaviors.setIdentity(BehaviorIdentity(primaryUserID: HarborCompany.maya))
        try? await session.behaviors.appBecameActive()
        await session.behaviors.postEventCache()
        for await fact in facts {
            guard let behavior = Self.behavior(fact) else { continue }
            // An event that cannot be kept is the demo's loss only.
            _ = try? await session.behaviors.track(behavior)
            await session.behaviors.postEventCache()
        }
        try? await session.behaviors.appWasLeft()
    }

    private static func behavior(_ fact: SessionEvent) -> Behavior? {
        let card = fact.cardID.map { ["Card": JSONValue.string($0)] } ?? [:]
        return switch fact.name {
        case .cardDisplayed: .named("Card seen", attributes: card)
        case .cardCompleted: .goalCompleted("Card answered", attributes: card)
        case .cardDismissed: .goalAbandoned("Card answered", attributes: card)
        case .userRedirected: .named("Link opened", attributes: card)
        default: nil
        }
    }
}
