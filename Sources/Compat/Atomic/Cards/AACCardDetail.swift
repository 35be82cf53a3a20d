public import Foundation
internal import InlayWire

/// The identity and state of a card.
public final class AACCardDetail: NSObject, Sendable {
    /// The time at which the card was created.
    public let createdDate: Date
    /// The card instance id.
    public let cardId: String
    /// `active`, `embargoed`, `snoozed`, `completed`, `dismissed`, `cancelled` or `expired`.
    public let status: String
    /// The id of the subject of the card.
    public let lifecycleId: String
    /// The name of the event that created the card.
    public let eventName: String

    init(_ instance: CardInstance) {
        createdDate = instance.createdAt.date
        cardId = instance.id
        status = instance.status.rawValue
        lifecycleId = instance.lifecycleID
        eventName = instance.eventName
    }
}
