import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The changes that cards of a feed undergo at their times: expiry, the end of an embargo, the return from a snooze.
///
/// A job, a reader and an action settle a feed in the same way, so that a version of a feed always has the same
/// content. A second node that settles the same feed finds nothing left to do. Nodes claim the jobs of feeds first, so
/// that they share the due feeds and do not wait for each other.
enum CardSettling {
    /// Settles the feed at this moment and returns its change; empty when nothing was due.
    static func settle(
        _ feed: FeedVersions.Feed, at now: Timestamp, in connection: any SQLConnection
    ) throws -> [LiveChange] {
        let key: [SQLValue] = [.id(feed.environmentID), .id(feed.userID), .id(feed.containerID)]
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
        return try FeedVersions.update([feed: expired + returned > 0], in: connection)
    }

    /// Returns the feeds of one user in which a card was due at this moment.
    static func dueFeeds(
        of userID: UserID, _ environmentID: EnvironmentID, at now: Timestamp, in connection: any SQLConnection
    ) throws -> [FeedVersions.Feed] {
        try connection.rows(
            """
            SELECT environment_id, user_id, container_id FROM card_feeds
            WHERE environment_id = ? AND user_id = ? AND next_due_at <= ?
            """, [.id(environmentID), .id(userID), .moment(now)]
        ).map(FeedVersions.Feed.init)
    }
}

extension FeedVersions.Feed {
    init(_ row: SQLRow) throws {
        self.init(
            environmentID: try row.id("environment_id"), userID: try row.id("user_id"),
            containerID: try row.id("container_id"))
    }
}
