public import Foundation
internal import InlayCards
internal import InlayWire

/// Which menu a card has in its top right.
public enum AACCardMenuOption: Int, Sendable {
    case overflow, dismiss
}

/// What is known about a card besides its content.
public final class AACCardMetadata: NSObject, Sendable {
    /// The menu in the card's top right: the whole menu, or dismiss alone where nothing else is offered.
    public let menuOption: AACCardMenuOption
    /// 1 (first) to 10 (last).
    public let priority: NSNumber
    /// When the card last became visible.
    public let lastCardActiveTime: Date?
    /// When the card last changed at the platform.
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
