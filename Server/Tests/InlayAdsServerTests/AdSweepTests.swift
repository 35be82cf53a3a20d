import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests of the batches of sweeps, and of the query plans of reports, on large tables.
@Suite(.timeLimit(.minutes(3))) struct AdSweepTests {
    /// The number of due rows of each table, one more than a batch.
    private static let dueRows = 5_001

    /// Fills the tables whose rows a sweep deletes with rows that are due at a moment, and one row each that is not.
    private func fill(_ database: any SQLDatabase, at moment: Timestamp) async throws {
        let numbers =
            "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(Self.dueRows))"
        let day = AdPace.day(of: moment), now = moment.microseconds
        let month = 31 * 86_400_000_000 as Int64
        let tables = [
            """
            INSERT INTO ad_notices (environment_id, id, kind, impression_id, bidder_id, url, amount_nanos, device_ip,
                user_agent, state, tries, made_at, settled_at)
            \(numbers) SELECT 'e', 'due' || x, 'lurl', 'i', 'b', 'u', 0, '', '', 'failed', 1, 0, \(now - month)
            FROM n UNION ALL SELECT 'e', 'new', 'lurl', 'i', 'b', 'u', 0, '', '', 'failed', 1, 0, \(now)
            """,
            """
            INSERT INTO ad_impressions (environment_id, id, unit_id, campaign_id, creative_id, bidder_id, deal_id,
                price_nanos, person, window_start, user_id, device_ip, user_agent, made_at, expires_at, ends_at)
            \(numbers) SELECT 'e', 'due' || x, 'u', '', '', 'b', '', 1, '', 0, '', '', '', 0, 0, \(now - 1) FROM n
            UNION ALL SELECT 'e', 'new', 'u', '', '', 'b', '', 1, '', 0, '', '', '', 0, 0, \(now + 1)
            """,
            """
            INSERT INTO ad_frequency (environment_id, campaign_id, person, window_start, taken, ends_at)
            \(numbers) SELECT 'e', 'c', 'due' || x, 0, 1, \(now - 1) FROM n
            UNION ALL SELECT 'e', 'c', 'new', 0, 1, \(now + 1)
            """,
            """
            INSERT INTO ad_rewarded_times (environment_id, person, busy_until)
            \(numbers) SELECT 'e', 'due' || x, \(now - 1) FROM n UNION ALL SELECT 'e', 'new', \(now + 1)
            """,
            """
            INSERT INTO ad_reward_counts (environment_id, unit_id, person, day, taken)
            \(numbers) SELECT 'e', 'u', 'due' || x, \(day - 1), 1 FROM n
            UNION ALL SELECT 'e', 'u', 'new', \(day), 1
            """,
            """
            INSERT INTO ad_refused_bids (environment_id, bidder_id, day, reason, field, times, last_at)
            \(numbers) SELECT 'e', 'due' || x, \(day - 91), 'r', 'f', 1, 0 FROM n
            UNION ALL SELECT 'e', 'new', \(day), 'r', 'f', 1, 0
            """,
            """
            INSERT INTO ad_refusals (environment_id, day, impression_id, event, reason, unit_id, times, first_at,
                last_at)
            \(numbers) SELECT 'e', \(day - 91), 'due' || x, 'view', 'copy', 'u', 1, 0, 0 FROM n
            UNION ALL SELECT 'e', \(day), 'new', 'view', 'copy', 'u', 1, 0, 0
            """,
        ]
        try await database.write { connection in
            for sql in tables { try connection.execute(sql) }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `rows that are due after a long standstill are removed in batches, and no other rows`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await TestDatabase.with(engine, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            let clock = TestClock()
            try await fill(database, at: clock.now)
            let counted = RowCountingDatabase(database)
            try await AdSweeper(database: counted) { clock.now }.sweep()
            let changed = counted.changed.withLockedValue { $0 }
            #expect(changed.max() == 5_000 && changed.reduce(0, +) == 7 * Self.dueRows)
            for (table, id) in [
                ("ad_notices", "id"), ("ad_impressions", "id"), ("ad_frequency", "person"),
                ("ad_reward_counts", "person"), ("ad_rewarded_times", "person"),
                ("ad_refusals", "impression_id"), ("ad_refused_bids", "bidder_id"),
            ] {
                let left = try await database.read { connection in
                    try connection.rows("SELECT \(id) AS id FROM \(table)").map { try $0.text("id") }
                }
                #expect(left == ["new"], "\(table)")
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `progress of old days and of deleted campaigns is removed`(_ engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            let clock = TestClock()
            let today = AdPace.day(of: clock.now), life = AdReservation.wholeLife
            try await database.write { connection in
                try connection.execute(
                    """
                    INSERT INTO ad_campaigns (environment_id, id, parent_id, name, settings, is_enabled, revision,
                        created_at, updated_at) VALUES ('e', 'kept', '', 'n', '{}', 1, 1, 0, 0)
                    """)
                for (campaign, day) in [
                    ("kept", life), ("kept", today), ("kept", today - 2), ("kept", today - 3),
                    ("deleted", life), ("deleted", today), ("deleted", today - 3),
                ] {
                    try connection.execute(
                        "INSERT INTO ad_progress VALUES ('e', ?, ?, 1, 0)", [.text(campaign), .integer(day)])
                }
            }
            try await AdSweeper(database: database) { clock.now }.sweep()
            let left = try await database.read { connection in
                try connection.rows("SELECT campaign_id, day FROM ad_progress ORDER BY campaign_id, day").map
                {
                    try "\($0.text("campaign_id")) \($0.int64("day"))"
                }
            }
            #expect(left == ["deleted \(today)", "kept \(life)", "kept \(today - 2)", "kept \(today)"])
        }
    }

    @Test func `the sums of bills use a covering index, and a user's ads an index of users`()
        async throws
    {
        try await TestDatabase.with(.sqlite, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            func plan(_ sql: String, _ arguments: [SQLValue]) async throws -> String {
                try await database.read { connection in
                    try connection.rows("EXPLAIN QUERY PLAN " + sql, arguments).map { try $0.text("detail") }
                        .joined(separator: "; ")
                }
            }
            let bills = try await plan(AdReportStore.sumsOfBills, [.text("e")])
            #expect(bills == "SEARCH ad_notices USING COVERING INDEX ad_notices_bills (environment_id=?)")
            let user = try await plan(AdsFeature.impressionsOfUser, [.text("e"), .text("ada")])
            #expect(user.contains("INDEX ad_impressions_by_user (environment_id=? AND user_id=?)"), "\(user)")
        }
    }
}
