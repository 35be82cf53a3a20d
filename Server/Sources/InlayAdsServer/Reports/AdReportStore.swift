import InlayOpenRTB
package import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// Reports of requests, impressions, clicks and earnings, by day, unit, campaign and bidder.
package struct AdReportStore: Sendable {
    /// The kind of record that each line of a report stands for.
    package enum Grouping: String, Sendable, CaseIterable {
        case day, unit, campaign, bidder

        fileprivate var column: String {
            switch self {
            case .day: "day"
            case .unit: "unit_id"
            case .campaign: "campaign_id"
            case .bidder: "bidder_id"
            }
        }
    }

    /// One line.
    package struct Line: Hashable, Sendable {
        /// The day as a number since 1970, or an id; empty where neither a campaign nor a bidder was shown.
        package let key: String
        /// The counts of the line.
        package let count: AdDayCount

        package init(key: String, count: AdDayCount) {
            self.key = key
            self.count = count
        }
    }

    /// Refused trackers or ad requests with the same reason, event and unit.
    package struct Refused: Hashable, Sendable {
        /// The reason.
        package let reason: String
        /// The event; empty for a string that is no token of this server.
        package let event: String
        /// The unit; empty when it is unknown.
        package let unitID: AdUnitID
        /// The number of refusals.
        package let times: Int64
        /// The time of the last one.
        package let lastAt: Timestamp
    }

    /// Bids of one bidder that were refused for one reason.
    package struct RefusedBids: Hashable, Sendable {
        /// The number of a loss reason, or the kind of failure of a response.
        package let reason: String
        /// The field that the reason is about; empty for a failure.
        package let field: String
        /// The number of refusals.
        package let times: Int64
        /// The time of the last one.
        package let lastAt: Timestamp
    }

    /// The database with the connections for analytics.
    let database: any SQLDatabase

    /// A store on a migrated database.
    package init(database: any SQLDatabase) { self.database = database.forAnalytics }

    /// Returns the lines from one day to another, both included, in the order of their keys.
    ///
    /// An ad request counts once; its bid requests are counted on the bidders' lines only.
    package func lines(
        _ environmentID: EnvironmentID, by grouping: Grouping, days: ClosedRange<Int64>,
        unitID: AdUnitID? = nil
    ) async throws -> [Line] {
        let column = grouping.column
        let requests =
            grouping == .bidder ? "requests" : "CASE WHEN bidder_id = '' THEN requests ELSE 0 END"
        return try await database.read { connection in
            try connection.rows(
                """
                SELECT \(column) AS key, \(Self.sum(requests, "requests")),
                    \(Self.sums) FROM ad_days
                WHERE environment_id = ? AND day >= ? AND day <= ? \(unitID == nil ? "" : "AND unit_id = ?")
                GROUP BY \(column) ORDER BY \(column)
                """,
                [.id(environmentID), .integer(days.lowerBound), .integer(days.upperBound)]
                    + (unitID.map { [.id($0)] } ?? [])
            ).map { row in
                let key =
                    switch try row.value("key") {
                    case .integer(let day): String(day)
                    default: try row.text("key")
                    }
                return Line(key: key, count: try AdDayCount(row))
            }
        }
    }

    /// Returns the sum of all lines from one day to another, both included.
    package func total(_ environmentID: EnvironmentID, days: ClosedRange<Int64>) async throws -> AdDayCount {
        try await lines(environmentID, by: .day, days: days).reduce(AdDayCount()) { $0 + $1.count }
    }

    /// Returns the refusals of a span of days, most frequent first; forgeries that name nothing are listed for
    /// every environment.
    package func refused(
        _ environmentID: EnvironmentID, days: ClosedRange<Int64>, limit: Int = 200
    ) async throws -> [Refused] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT reason, event, unit_id, CAST(SUM(times) AS BIGINT) AS times, MAX(last_at) AS last_at
                FROM ad_refusals WHERE (environment_id = ? OR environment_id = '') AND day >= ? AND day <= ?
                GROUP BY reason, event, unit_id ORDER BY times DESC, reason, event, unit_id LIMIT ?
                """,
                [
                    .id(environmentID), .integer(days.lowerBound), .integer(days.upperBound), .int(limit),
                ]
            ).map { row in
                Refused(
                    reason: try row.text("reason"), event: try row.text("event"),
                    unitID: try row.id("unit_id"), times: try row.int64("times"),
                    lastAt: try row.moment("last_at"))
            }
        }
    }

    /// Returns a bidder's refused bids and unusable responses from one day to another, the most frequent first.
    package func refusedBids(
        _ environmentID: EnvironmentID, bidderID: AdBidderID, days: ClosedRange<Int64>
    ) async throws -> [RefusedBids] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT reason, field, CAST(SUM(times) AS BIGINT) AS times, MAX(last_at) AS last_at
                FROM ad_refused_bids WHERE environment_id = ? AND bidder_id = ? AND day >= ? AND day <= ?
                GROUP BY reason, field ORDER BY times DESC, reason, field
                """,
                [
                    .id(environmentID), .id(bidderID), .integer(days.lowerBound),
                    .integer(days.upperBound),
                ]
            ).map { row in
                RefusedBids(
                    reason: try row.text("reason"), field: try row.text("field"),
                    times: try row.int64("times"), lastAt: try row.moment("last_at"))
            }
        }
    }

    /// Returns the bills of each bidder, as far as they are kept: how much is acknowledged, outstanding or given
    /// up, in nanos.
    package func bills(_ environmentID: EnvironmentID) async throws -> [AdBidderID: [AdNotice.State: Int64]] {
        try await database.read { connection in
            let rows = try connection.rows(Self.sumsOfBills, [.id(environmentID)])
            return try rows.reduce(into: [:]) { sums, row in
                if let state = AdNotice.State(rawValue: try row.text("state")) {
                    sums[try row.id("bidder_id"), default: [:]][state] = try row.int64("sum")
                }
            }
        }
    }

    /// The kind is a literal, as in the index's condition: with an argument, the database could not use the index.
    static let sumsOfBills = """
        SELECT bidder_id, state, CAST(SUM(amount_nanos) AS BIGINT) AS sum FROM ad_notices
        WHERE environment_id = ? AND kind = 'burl' GROUP BY bidder_id, state
        """

    /// Returns the delivery of a campaign: what it has taken in all, and what is booked of it.
    package func progress(
        _ environmentID: EnvironmentID, campaignID: AdCampaignID
    ) async throws -> (taken: Int64, booked: Int64) {
        try await database.read { connection in
            let taken = try connection.row(
                "SELECT taken FROM ad_progress WHERE environment_id = ? AND campaign_id = ? AND day = ?",
                [.id(environmentID), .id(campaignID), .integer(AdReservation.wholeLife)])
            let booked = try connection.row(
                """
                SELECT CAST(COALESCE(SUM(impressions), 0) AS BIGINT) AS n FROM ad_days
                WHERE environment_id = ? AND campaign_id = ?
                """, [.id(environmentID), .id(campaignID)])
            return (try taken?.int64("taken") ?? 0, try booked?.int64("n") ?? 0)
        }
    }

    private static let sums = ["fills", "impressions", "clicks", "rewards", "revenue_nanos"]
        .map { sum($0, $0) }.joined(separator: ", ")

    // PostgreSQL's sum of BIGINT is NUMERIC.
    private static func sum(_ term: String, _ name: String) -> String {
        "CAST(COALESCE(SUM(\(term)), 0) AS BIGINT) AS \(name)"
    }
}
