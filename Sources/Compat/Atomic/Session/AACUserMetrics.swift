public import Foundation
internal import InlayWire

/// The numbers of cards that the user has and has not seen; snoozed and embargoed cards do not count.
public final class AACUserMetrics: NSObject, Sendable {
    private let counts: CardCounts

    init(_ counts: CardCounts) { self.counts = counts }

    /// Returns the number of cards in all containers.
    public func totalCards() -> Int { counts.total }

    /// Returns the number of cards in all containers that were never on screen.
    public func unseenCards() -> Int { counts.unseen }

    /// Returns the number of cards in a container; 0 for an unknown container.
    public func totalCardsForStreamContainer(withId identifier: String) -> Int {
        counts.containers[identifier]?.total ?? 0
    }

    /// Returns the number of cards in a container that were never on screen; 0 for an unknown container.
    public func unseenCardsForStreamContainer(withId identifier: String) -> Int {
        counts.containers[identifier]?.unseen ?? 0
    }
}
