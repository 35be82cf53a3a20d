import InlaySQL
import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The id of an event that makes cards, chosen by the sender or the server.
package struct CardEventID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

/// A stored event and its progress.
package struct CardEventRecord: Hashable, Sendable, Identifiable {
    /// The id that the sender or the server chose.
    package let id: CardEventID
    /// The request that was sent.
    package let request: CardEventRequest
    /// The templates that cards were made from.
    package let templateIDs: [CardTemplateID]
    /// Cards made or replaced so far.
    package let cards: Int
    /// Whether the delivery has ended: all users were reached, or the event was cancelled or failed.
    package let isComplete: Bool
    /// Whether a cancellation ended the delivery before all users were reached.
    package let isCancelled: Bool
    /// The error of the last attempt; `nil` after a success. It is why a complete event failed.
    package let failure: String?
    /// The time at which the server received the event.
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
