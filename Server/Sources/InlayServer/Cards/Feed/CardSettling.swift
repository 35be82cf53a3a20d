import InlaySQL
import InlayWire

/// Lets what time has brought take effect in one feed: expiry, the end of an embargo, the return from a
/// snooze.
///
/// The same on every path (the clock, a late reader, an action), so that a feed at a version is always the
/// same feed. A second node that comes for the same feed finds nothing left to do. Clocks claim feeds first, so that
/// nodes share what is due among them and do not wait for each other.
enum CardSettling {
    /// Settles the feed at this moment and returns its news; no news when nothing was due.
    static func settle(
        _ feed: FeedVersions.Feed, at now: Timestamp, in connection: any SQLConnection
    ) throws -> [LiveChange] {
        let key: [SQLValue] = [.text(feed.environmentID), .text(feed.userID), .text(feed.containerID)]
        let expired = try connection.execute(
            """
            UPDATE card_instances SET status = 'expired', is_open = 0, due_at = NULL, updated_at = ?
            WHERE environment_id = ? AND user_id = ? AND container_id = ? AND due_at <= ? AND due_at IS NOT NULL
                AND is_open = 1 AND expires_at <= ?
            """, [.moment(now)] + key + [.moment(now), .moment(now)])
        let returned = try connection.execute(
            """
            UPDATE card_instances SET status = 'active', updated_at = ?, due_at = expires_at, snoozed_until = NULL,
                active_at = CASE WHEN status = 'snoozed' THEN snoozed_until ELSE active_at END
            WHERE environment_id = ? AND user_id = ? AND container_id = ? AND due_at <= ? AND due_at IS NOT NULL
                AND status IN ('embargoed', 'snoozed')
            """, [.moment(now)] + key + [.moment(now)])
        return try FeedVersions.renew([feed: expired + returned > 0], in: connection)
    }

    /// The time after which a claim has ended with its node, and others settle the feeds.
    static let lease = Duration.seconds(15)

    /// Whether some feed is due at this moment that nobody has claimed.
    static func isAnyDue(at now: Timestamp, in connection: any SQLConnection) throws -> Bool {
        try connection.row(
            "SELECT 1 AS n FROM card_feeds WHERE \(isDue) LIMIT 1", [.moment(now), .moment(now)])
            != nil
    }

    /// Claims feeds in which something is due at this moment, most overdue first; returns how many.
    ///
    /// Skips what another transaction has locked: a node that stands still in one would hold up all others.
    static func claimDue(
        _ claim: String, at now: Timestamp, limit: Int, in connection: any SQLConnection
    ) throws -> Int {
        try connection.execute(
            """
            WITH due AS MATERIALIZED (SELECT environment_id, user_id, container_id FROM card_feeds
                WHERE \(isDue) ORDER BY next_due_at LIMIT ? FOR UPDATE SKIP LOCKED)
            UPDATE card_feeds SET claim = ?, claimed_until = ?
            WHERE (environment_id, user_id, container_id) IN (SELECT environment_id, user_id, container_id FROM due)
            """,
            [.moment(now), .moment(now), .int(limit), .text(claim), .moment(now + lease)])
    }

    private static let isDue = """
        next_due_at <= ? AND next_due_at IS NOT NULL AND (claimed_until IS NULL OR claimed_until <= ?)
        """

    /// Settles the feeds that still have this claim and returns their news.
    static func settle(
        claimed claim: String, at now: Timestamp, in connection: any SQLConnection
    ) throws -> [LiveChange] {
        let feeds = try connection.rows(
            """
            SELECT environment_id, user_id, container_id FROM card_feeds
            WHERE claim = ? ORDER BY user_id, container_id
            """, [.text(claim)]
        ).map(FeedVersions.Feed.init)
        let news = try feeds.flatMap { try settle($0, at: now, in: connection) }
        try connection.execute(
            "UPDATE card_feeds SET claim = NULL, claimed_until = NULL WHERE claim = ?", [.text(claim)])
        return news
    }

    /// The feeds of one user in which something was due at this moment.
    static func dueFeeds(
        of userID: String, _ environmentID: String, at now: Timestamp, in connection: any SQLConnection
    ) throws -> [FeedVersions.Feed] {
        try connection.rows(
            """
            SELECT environment_id, user_id, container_id FROM card_feeds
            WHERE environment_id = ? AND user_id = ? AND next_due_at <= ?
            """, [.text(environmentID), .text(userID), .moment(now)]
        ).map(FeedVersions.Feed.init)
    }
}

extension FeedVersions.Feed {
    init(_ row: SQLRow) throws {
        self.init(
            environmentID: try row.text("environment_id"), userID: try row.text("user_id"),
            containerID: try row.text("container_id"))
    }
}
