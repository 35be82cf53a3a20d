public import Foundation
internal import InlayWire

/// Identity and state of a card.
public final class AACCardDetail: NSObject, Sendable {
    /// When the card was made.
    public let createdDate: Date
    /// The card instance id.
    public let cardId: String
    /// `active`, `embargoed`, `snoozed`, `completed`, `dismissed`, `cancelled` or `expired`.
    public let status: String
    /// What the card is about.
    public let lifecycleId: String
    /// The event that made the card.
    public let eventName: String

    init(_ instance: CardInstance) {
        createdDate = instance.createdAt.date
        cardId = instance.id
        status = instance.status.rawValue
        lifecycleId = instance.lifecycleID
        eventName = instance.eventName
    }
}
