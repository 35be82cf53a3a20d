public import Foundation
internal import InlayWire
@_spi(Inlay) import InlayWire

/// The menu entries and swipes that a card does not offer.
public final class AACCardActionFlags: NSObject, Sendable {
    /// Snooze by a swipe is off.
    public let snoozeSwipeDisabled: Bool
    /// Snooze in the overflow menu is off.
    public let snoozeOverflowDisabled: Bool
    /// Dismiss by a swipe is off.
    public let dismissSwipeDisabled: Bool
    /// Dismiss in the overflow menu is off.
    public let dismissOverflowDisabled: Bool
    /// "This is useful" in the overflow menu is off.
    public let voteUpOverflowDisabled: Bool
    /// "This isn't useful" in the overflow menu is off.
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
