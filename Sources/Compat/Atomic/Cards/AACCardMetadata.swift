public import Foundation
internal import InlayCards
@_spi(Inlay) import InlayCards
internal import InlayWire
@_spi(Inlay) import InlayWire

/// The menu in the top right of a card.
public enum AACCardMenuOption: Int, Sendable {
    case overflow, dismiss
}

/// A card's data besides its content.
public final class AACCardMetadata: NSObject, Sendable {
    /// The menu in the card's top right: `dismiss` when dismissing is its only option, else `overflow`.
    public let menuOption: AACCardMenuOption
    /// The card's priority, from 1 (first in the list) to 10 (last).
    public let priority: NSNumber
    /// The time at which the card last became visible.
    public let lastCardActiveTime: Date?
    /// The time of the card's last change on the server.
    public let updatedTime: Date

    init(_ card: Card) {
        let options = card.source.options
        let isDismissAlone =
            options.snoozeOverflowDisabled && options.voteUpOverflowDisabled
            && options.voteDownOverflowDisabled
            && !options.dismissOverflowDisabled
        menuOption = isDismissAlone ? .dismiss : .overflow
        priority = NSNumber(value: card.instance.priority)
        lastCardActiveTime = card.instance.activeAt.date
        updatedTime = card.instance.updatedAt.date
    }
}
