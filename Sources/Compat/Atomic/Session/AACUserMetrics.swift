public import Foundation
internal import InlayWire

/// The numbers of cards that the user has and has not seen; snoozed and embargoed cards do not count.
public final class AACUserMetrics: NSObject, Sendable {
    private let counts: CardCounts

    init(_ counts: CardCounts) { self.counts = counts }

    /// Cards in all containers.
    public func totalCards() -> Int { counts.total }

    /// Cards in all containers that were never on screen.
    public func unseenCards() -> Int { counts.unseen }

    /// Cards in one container; 0 for one the platform does not name.
    public func totalCardsForStreamContainer(withId identifier: String) -> Int {
        counts.containers[identifier]?.total ?? 0
    }

    /// Cards in one container that were never on screen.
    public func unseenCardsForStreamContainer(withId identifier: String) -> Int {
        counts.containers[identifier]?.unseen ?? 0
    }
}
