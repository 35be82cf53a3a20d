import InlaySQL
import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The id of an event that makes cards, the sender's or the server's.
package struct CardEventID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

/// An event as it was taken in.
package struct CardEventRecord: Hashable, Sendable, Identifiable {
    /// The sender's id or the server's.
    package let id: CardEventID
    /// The request that was sent.
    package let request: CardEventRequest
    /// The templates that cards were made from.
    package let templateIDs: [CardTemplateID]
    /// Cards made or replaced so far.
    package let cards: Int
    /// Whether no user is left to be reached: all have been, or the event was cancelled or has failed.
    package let isComplete: Bool
    /// Whether the rest of its users was given up because it was cancelled.
    package let isCancelled: Bool
    /// The fault of the last try to go on; `nil` after one that succeeded. A complete event with it has ended for it.
    package let failure: String?
    /// The time at which it came.
    package let createdAt: Timestamp

    init(_ row: SQLRow) throws {
        let plan: CardPlan = try JSONColumn.value(try row.text("plan"))
        id = try row.id("event_id")
        request = try JSONColumn.value(try row.text("request"))
        templateIDs = plan.parts.map(\.templateID)
        cards = try row.int("cards")
        isComplete = try row.bool("is_done")
        isCancelled = try row.bool("is_cancelled")
        failure = try row.optionalText("failure")
        createdAt = try row.moment("created_at")
    }

    var receipt: CardEventReceipt {
        CardEventReceipt(eventID: id, templateIDs: templateIDs, cards: cards, isComplete: isComplete)
    }
}
