import InlaySQL
import InlayWire

/// Lets what time has brought take effect in one feed: expiry, the end of an embargo, the return from a
/// snooze.
///
/// The same on every path (the clock, a late reader, an action), so that a feed at a version is always the
/// same feed. A second node that comes for the same feed finds nothing left to do.
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

    /// The feeds in which something was due at this moment, most overdue first.
    static func dueFeeds(
        at now: Timestamp, limit: Int, in connection: any SQLConnection
    ) throws -> [FeedVersions.Feed] {
        try connection.rows(
            """
            SELECT environment_id, user_id, container_id FROM card_feeds
            WHERE next_due_at <= ? AND next_due_at IS NOT NULL ORDER BY next_due_at LIMIT ?
            """, [.moment(now), .int(limit)]
        ).map(FeedVersions.Feed.init)
    }

    /// The same for one user.
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
