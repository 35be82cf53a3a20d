import InlaySQL
import InlayWire

/// Counts, per template and quarter of an hour, what happened to its cards.
///
/// Every time zone in use is a multiple of a quarter of an hour from UTC, so the days of each zone are sums of these.
/// Added to in the transaction of the effect itself, so that the numbers and the cards never disagree.
enum CardNumbers {
    /// What is counted; the names of the columns.
    enum Kind: String, CaseIterable {
        case sent, displayed, completed, dismissed, snoozed
        case votedUp = "voted_up"
        case votedNotRelevant = "voted_not_relevant"
        case votedTooOften = "voted_too_often"
        case votedSomethingElse = "voted_something_else"
    }

    /// The microseconds of one slot.
    static let slot: Int64 = 900_000_000

    /// Adds to one number of the quarter of an hour in which this moment lies.
    static func add(
        _ kind: Kind, count: Int = 1, _ environmentID: String, templateID: String, at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        guard count > 0 else { return }
        let column = kind.rawValue
        try connection.execute(
            """
            INSERT INTO card_numbers (environment_id, template_id, slot, \(column)) VALUES (?, ?, ?, ?)
            ON CONFLICT (environment_id, template_id, slot)
                DO UPDATE SET \(column) = card_numbers.\(column) + excluded.\(column)
            """,
            [.text(environmentID), .text(templateID), .integer(slot(of: moment)), .int(count)])
    }

    /// The number of the slot that holds a moment, since 1 January 1970.
    static func slot(of moment: Timestamp) -> Int64 {
        let (quotient, remainder) = moment.microseconds.quotientAndRemainder(dividingBy: slot)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
