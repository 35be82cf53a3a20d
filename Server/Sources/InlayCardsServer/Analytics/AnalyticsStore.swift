package import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A store of devices' analytics events, each stored once, and of the counts of each template's cards.
package struct AnalyticsStore: Sendable {
    /// Reads use the connections for analytics: apps only write events, and only operators read them.
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// A store on a migrated database.
    package init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database.forAnalytics
        self.now = now
    }

    /// Stores the events in order and returns a receipt for each. Callers pass at most 500.
    ///
    /// An event with a known id is dropped, and its receipt says accepted. Events with unknown names are stored.
    package func ingest(
        _ environmentID: EnvironmentID, _ userID: UserID, _ events: [AnalyticsEvent]
    ) async throws -> [ItemReceipt] {
        let moment = now()
        return try await database.write { connection in
            let intake = AnalyticsIntake(
                environmentID: environmentID, userID: userID, now: moment, connection: connection)
            return try events.map { try intake.receipt(for: $0) }
        }
    }

    /// Returns the counts of each day and template in a range of days of a time zone, in order. Days without counts
    /// are left out.
    package func daily(
        _ environmentID: EnvironmentID, templateID: CardTemplateID? = nil, days: ClosedRange<CalendarDay>,
        in zone: CalendarZone
    ) async throws -> [CardDay] {
        let filter = templateID == nil ? "" : "AND template_id = ?"
        let buckets = zone.days(days)
        let dayIndex = buckets.expression("slot", unit: CardCounters.slot)
        return try await database.read { connection in
            try connection.rows(
                """
                SELECT \(dayIndex.sql) AS place, template_id, \(Self.sums)
                FROM card_numbers WHERE environment_id = ? AND slot >= ? AND slot < ? \(filter)
                GROUP BY 1, 2 ORDER BY 1, 2
                """,
                dayIndex.arguments + [
                    .id(environmentID), .integer(CardCounters.slot(of: buckets.from)),
                    .integer(CardCounters.slot(of: buckets.until)),
                ] + (templateID.map { [.id($0)] } ?? [])
            ).map { row in
                try CardDay(row, day: days.lowerBound.adding(row.int("place")))
            }
        }
    }

    // PostgreSQL's sum of BIGINT is NUMERIC.
    private static let sums = CardCounters.Kind.allCases.map {
        "CAST(SUM(\($0.rawValue)) AS BIGINT) AS \($0.rawValue)"
    }.joined(separator: ", ")

    /// Returns the sums of all days, by template.
    package func totals(_ environmentID: EnvironmentID) async throws -> [CardTemplateID: CardTotals] {
        let rows = try await database.read { connection in
            try connection.rows(
                """
                SELECT template_id, \(Self.sums)
                FROM card_numbers WHERE environment_id = ? GROUP BY template_id
                """, [.id(environmentID)]
            ).map { (try $0.id("template_id", as: CardTemplateID.self), try CardTotals($0)) }
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// Returns the latest events of a user, newest first; at most 200.
    package func recent(
        _ environmentID: EnvironmentID, _ userID: UserID, limit: Int = 50
    ) async throws -> [AnalyticsEvent] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT * FROM analytics_events WHERE environment_id = ? AND user_id = ?
                ORDER BY received_at DESC, event_id DESC LIMIT ?
                """, [.id(environmentID), .id(userID), .int(min(max(limit, 1), 200))]
            ).map(AnalyticsEvent.init)
        }
    }
}

/// The sums of the events of cards.
package struct CardTotals: Codable, Hashable, Sendable {
    /// Cards made; a card replaced in place is not made again.
    package var sent = 0
    /// Times a card came on screen.
    package var displayed = 0
    /// Cards submitted.
    package var completed = 0
    /// Cards dismissed.
    package var dismissed = 0
    /// Times a card was snoozed.
    package var snoozed = 0
    /// Votes that a card is useful.
    package var votedUp = 0
    /// Votes that a card is not relevant.
    package var votedNotRelevant = 0
    /// Votes that a card comes too often.
    package var votedTooOften = 0
    /// Votes that a card is not useful for another reason.
    package var votedSomethingElse = 0

    /// Votes that a card is not useful, whatever the reason.
    package var votedDown: Int { votedNotRelevant + votedTooOften + votedSomethingElse }

    /// Creates totals of zero.
    package init() {}

    init(_ row: SQLRow) throws {
        sent = try row.int("sent")
        displayed = try row.int("displayed")
        completed = try row.int("completed")
        dismissed = try row.int("dismissed")
        snoozed = try row.int("snoozed")
        votedUp = try row.int("voted_up")
        votedNotRelevant = try row.int("voted_not_relevant")
        votedTooOften = try row.int("voted_too_often")
        votedSomethingElse = try row.int("voted_something_else")
    }
}

/// The numbers of one template on one day.
package struct CardDay: Codable, Hashable, Sendable {
    /// The day, in the requested time zone.
    package let day: CalendarDay
    /// The template.
    package let templateID: CardTemplateID
    /// The sums of its cards' events.
    package let totals: CardTotals

    init(_ row: SQLRow, day: CalendarDay) throws {
        self.day = day
        templateID = try row.id("template_id")
        totals = try CardTotals(row)
    }
}
