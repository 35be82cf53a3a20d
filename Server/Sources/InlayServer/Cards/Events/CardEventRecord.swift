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
    /// Whether nobody is left to be reached: everyone has been, or the event was cancelled or has failed.
    package let isComplete: Bool
    /// Whether the rest of its users was given up because it was cancelled.
    package let isCancelled: Bool
    /// Why the last try to go on failed; `nil` after one that succeeded. A complete event with it has ended for it.
    package let failure: String?
    /// When it came.
    package let createdAt: Timestamp

    init(_ row: SQLRow) throws {
        let plan: CardPlan = try CardJSON.value(try row.text("plan"))
        id = try row.text("event_id")
        request = try CardJSON.value(try row.text("request"))
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
