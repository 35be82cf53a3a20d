import InlayOpenRTB
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The periodic task that gives back the reservations of ads that nobody has seen in time, and deletes outdated rows.
struct AdSweeper: Sendable {
    private static let batchSize = 25
    /// The time for which finished notices stay visible: a month.
    private static let noticeSeconds: Int64 = 30 * 86_400
    /// The number of days for which refusals stay visible: those of the longest report.
    private static let refusalDays: Int64 = 90

    /// The number of days before today on which an impression may have been served whose view still counts: it may be
    /// shown for an hour, and its trackers may take a day.
    private static let viewDays: Int64 = 2

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Gives back and deletes all that is due.
    func sweep() async throws {
        while try await releaseSome() == Self.batchSize, !Task.isCancelled {}
        try await AdDayCount.fold(at: now(), in: database)
        let moment = now()
        try await database.delete(
            from: "ad_impressions", key: "environment_id, id",
            where: "ends_at < ? AND (open_until IS NULL OR reserved_until IS NULL)", [.moment(moment)])
        try await database.delete(
            from: "ad_progress", key: "environment_id, campaign_id, day",
            where: """
                day >= 0 AND day < ? OR day = \(AdReservation.wholeLife) AND NOT EXISTS (
                    SELECT 1 FROM ad_campaigns WHERE ad_campaigns.environment_id = ad_progress.environment_id
                        AND ad_campaigns.id = ad_progress.campaign_id)
                """, [.integer(AdPace.day(of: moment) - Self.viewDays)])
        try await database.delete(
            from: "ad_frequency", key: "environment_id, campaign_id, person, window_start",
            where: "ends_at < ?", [.moment(moment)])
        try await database.delete(
            from: "ad_reward_counts", key: "environment_id, person, unit_id, day", where: "day < ?",
            [.integer(AdPace.day(of: moment))])
        try await database.delete(
            from: "ad_rewarded_times", key: "environment_id, person", where: "busy_until < ?",
            [.moment(moment)])
        try await database.delete(
            from: "ad_notices", key: "environment_id, id", where: "settled_at < ? AND settled_at IS NOT NULL",
            [.moment(moment + .seconds(-Self.noticeSeconds))])
        try await database.delete(
            from: "ad_refusals", key: "environment_id, day, impression_id, event, reason", where: "day < ?",
            [.integer(AdPace.day(of: moment) - Self.refusalDays)])
        try await database.delete(
            from: "ad_refused_bids", key: "environment_id, bidder_id, day, reason, field", where: "day < ?",
            [.integer(AdPace.day(of: moment) - Self.refusalDays)])
    }

    private func releaseSome() async throws -> Int {
        let moment = now()
        return try await database.write { connection in
            let over = try connection.rows(
                """
                SELECT * FROM ad_impressions
                WHERE reserved_until < ? AND reserved_until IS NOT NULL AND open_until IS NOT NULL
                ORDER BY reserved_until LIMIT ? FOR UPDATE SKIP LOCKED
                """, [.moment(moment), .int(Self.batchSize)]
            ).map(AdImpression.init)
            for impression in over where try impression.endUnseenReservation(connection) {
                try AdReservation.giveBack(impression, in: connection)
            }
            return over.count
        }
    }
}
