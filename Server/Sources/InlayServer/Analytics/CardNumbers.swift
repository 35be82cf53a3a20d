import InlaySQL
import InlayWire

/// Counts, per template and day, what happened to its cards.
///
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

    /// Adds to one number of the day of this moment (UTC).
    static func add(
        _ kind: Kind, count: Int = 1, _ environmentID: String, templateID: String, at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        guard count > 0 else { return }
        let column = kind.rawValue
        try connection.execute(
            """
            INSERT INTO card_numbers (environment_id, template_id, day, \(column)) VALUES (?, ?, ?, ?)
            ON CONFLICT (environment_id, template_id, day)
                DO UPDATE SET \(column) = card_numbers.\(column) + excluded.\(column)
            """,
            [.text(environmentID), .text(templateID), .int(CalendarDay(moment).number), .int(count)])
    }
}

/// A day of the calendar in UTC.
package struct CalendarDay: Hashable, Comparable, Sendable, Codable {
    /// Days since 1 January 1970.
    package let number: Int

    /// The day by its number since 1 January 1970.
    package init(number: Int) { self.number = number }

    /// The day that holds this moment.
    package init(_ moment: Timestamp) {
        let day: Int64 = 86_400_000_000
        let (quotient, remainder) = moment.microseconds.quotientAndRemainder(dividingBy: day)
        number = Int(remainder < 0 ? quotient - 1 : quotient)
    }

    /// The moment the day begins.
    package var start: Timestamp { Timestamp(microseconds: Int64(number) * 86_400_000_000) }

    /// The day this many days later.
    package func adding(_ days: Int) -> CalendarDay { CalendarDay(number: number + days) }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
