public import Foundation
internal import InlayWire
@_spi(Inlay) import InlayWire

/// The menu entries and swipes that a card does not offer.
public final class AACCardActionFlags: NSObject, Sendable {
    /// Whether a swipe cannot snooze the card.
    public let snoozeSwipeDisabled: Bool
    /// Whether the overflow menu has no "Snooze".
    public let snoozeOverflowDisabled: Bool
    /// Whether a swipe cannot dismiss the card.
    public let dismissSwipeDisabled: Bool
    /// Whether the overflow menu has no "Dismiss".
    public let dismissOverflowDisabled: Bool
    /// Whether the overflow menu has no "This is useful".
    public let voteUpOverflowDisabled: Bool
    /// Whether the overflow menu has no "This isn't useful".
    public let voteDownOverflowDisabled: Bool

    init(_ options: CardOptions) {
        snoozeSwipeDisabled = options.snoozeSwipeDisabled
        snoozeOverflowDisabled = options.snoozeOverflowDisabled
        dismissSwipeDisabled = options.dismissSwipeDisabled
        dismissOverflowDisabled = options.dismissOverflowDisabled
        voteUpOverflowDisabled = options.voteUpOverflowDisabled
        voteDownOverflowDisabled = options.voteDownOverflowDisabled
    }
}
