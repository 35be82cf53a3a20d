import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The counts of what happened to the cards of a template in a slot: a quarter of an hour.
///
/// Every time zone in use is a multiple of a quarter of an hour from UTC, so the days of each zone are sums of slots.
/// A count is added in the transaction of its effect, so that counts and cards never disagree. Each connection that
/// writes has its own rows, so that the transactions of one template do not wait for each other.
enum CardCounters {
    /// The kinds of counts; the raw values are the names of the columns.
    enum Kind: String, CaseIterable {
        case sent, displayed, completed, dismissed, snoozed
        case votedUp = "voted_up"
        case votedNotRelevant = "voted_not_relevant"
        case votedTooOften = "voted_too_often"
        case votedSomethingElse = "voted_something_else"
    }

    /// The length of a slot in microseconds.
    static let slot: Int64 = 900_000_000

    /// Adds to one count of the slot that holds a moment.
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

    /// Merges the rows of all writers into one, for each template and slot that is over.
    static func fold(at moment: Timestamp, in database: any SQLDatabase) async throws {
        // Nodes' clocks differ by less than a slot, so no node adds to one that ended a slot ago.
        try await table.fold(where: "slot < ?", [.integer(slot(of: moment) - 1)], in: database)
    }

    private static let table = CounterTable(
        name: "card_numbers", key: ["environment_id", "template_id", "slot"],
        counts: Kind.allCases.map(\.rawValue))

    /// Returns the number of the slot that holds a moment, counted from 1 January 1970 UTC.
    static func slot(of moment: Timestamp) -> Int64 {
        let (quotient, remainder) = moment.microseconds.quotientAndRemainder(dividingBy: slot)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
