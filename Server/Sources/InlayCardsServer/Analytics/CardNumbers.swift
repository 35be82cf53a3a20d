import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Counts, per template and quarter of an hour, what happened to its cards.
///
/// Every time zone in use is a multiple of a quarter of an hour from UTC, so the days of each zone are sums of these.
/// Added to in the transaction of the effect itself, so that the numbers and the cards never disagree. Each connection
/// that writes has rows of its own, so that the transactions of one template do not wait for each other.
enum CardNumbers {
    /// The kinds of counts; the names of the columns.
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
        _ kind: Kind, count: Int = 1, _ environmentID: EnvironmentID, templateID: CardTemplateID,
        at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        guard count > 0 else { return }
        try table.add(
            [Int64(count)], to: [kind.rawValue],
            key: [.id(environmentID), .id(templateID), .integer(slot(of: moment))], in: connection)
    }

    /// Makes one row of those of all writers, for each template and slot that is over.
    static func fold(at moment: Timestamp, in database: any SQLDatabase) async throws {
        // Nodes' clocks differ by less than a slot, so no node adds to one that ended a slot ago.
        try await table.fold(where: "slot < ?", [.integer(slot(of: moment) - 1)], in: database)
    }

    private static let table = CounterTable(
        name: "card_numbers", key: ["environment_id", "template_id", "slot"],
        counts: Kind.allCases.map(\.rawValue))

    /// The number of the slot that holds a moment, since 1 January 1970.
    static func slot(of moment: Timestamp) -> Int64 {
        let (quotient, remainder) = moment.microseconds.quotientAndRemainder(dividingBy: slot)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
