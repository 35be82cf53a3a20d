import InlaySQL
import InlayWire

/// An event as it was taken in.
package struct CardEventRecord: Hashable, Sendable, Identifiable {
    /// The sender's id or the server's.
    package let id: String
    /// What was sent.
    package let request: CardEventRequest
    /// The templates that cards were made from.
    package let templateIDs: [String]
    /// Cards made or replaced so far.
    package let cards: Int
    /// Whether everyone has been reached.
    package let isComplete: Bool
    /// When it came.
    package let createdAt: Timestamp

    init(_ row: SQLRow) throws {
        let plan: CardPlan = try CardJSON.value(try row.text("plan"))
        id = try row.text("event_id")
        request = try CardJSON.value(try row.text("request"))
        templateIDs = plan.parts.map(\.templateID)
        cards = try row.int("cards")
        isComplete = try row.bool("is_done")
        createdAt = try row.moment("created_at")
    }

    var receipt: CardEventReceipt {
        CardEventReceipt(eventID: id, templateIDs: templateIDs, cards: cards, isComplete: isComplete)
    }
}
