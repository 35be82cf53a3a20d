import InlaySQL
import InlayWire

/// Keeps the version of every feed, and the moment at which it changes by itself.
///
/// Call ``renew(_:in:)`` in the transaction that changed the cards, after the change. The first statement
/// locks the feed's row; the second, with a snapshot taken after the lock, sees what other nodes committed.
enum FeedVersions {
    /// One user's feed of one container.
    struct Feed: Hashable, Sendable {
        let environmentID: String
        let userID: String
        let containerID: String
    }

    /// Writes a feed's next moment, and a new version where what is visible changed.
    ///
    /// Returns the news of those that changed, to be told after the commit.
    static func renew(
        _ feeds: [Feed: Bool], in connection: any SQLConnection
    ) throws -> [LiveChange] {
        // One order for all writers, so that two nodes never wait for each other.
        let ordered = feeds.sorted {
            ($0.key.userID, $0.key.containerID) < ($1.key.userID, $1.key.containerID)
        }
        var news: [LiveChange] = []
        for rows in SQLRows.groups(ordered) {
            news += try bump(rows, connection)
            for (feed, _) in rows { try schedule(feed, connection) }
        }
        return news
    }

    private static func bump(
        _ feeds: ArraySlice<(key: Feed, value: Bool)>, _ connection: any SQLConnection
    ) throws -> [LiveChange] {
        let rows = try connection.rows(
            """
            INSERT INTO card_feeds (environment_id, user_id, container_id, version, had_cards, next_due_at)
            VALUES \(SQLRows.values("(?, ?, ?, ?, 0, NULL)", feeds.count))
            ON CONFLICT (environment_id, user_id, container_id)
                DO UPDATE SET version = card_feeds.version + excluded.version
            RETURNING environment_id, user_id, container_id, card_feeds.version + \(VersionBase.sql) AS version
            """,
            feeds.flatMap { feed, isVisible -> [SQLValue] in
                [.text(feed.environmentID), .text(feed.userID), .text(feed.containerID), .bool(isVisible)]
            })
        let visible = Set(feeds.filter(\.value).map(\.key))
        return try rows.compactMap { row in
            let feed = Feed(
                environmentID: try row.text("environment_id"), userID: try row.text("user_id"),
                containerID: try row.text("container_id"))
            guard visible.contains(feed) else { return nil }
            return LiveChange(
                environmentID: feed.environmentID, userID: feed.userID,
                topic: LiveMessage.cardTopic(container: feed.containerID), version: try row.int64("version"))
        }
    }

    private static func schedule(_ feed: Feed, _ connection: any SQLConnection) throws {
        try connection.execute(
            """
            UPDATE card_feeds SET
                next_due_at = (SELECT MIN(i.due_at) FROM card_instances i
                    WHERE i.environment_id = card_feeds.environment_id AND i.user_id = card_feeds.user_id
                        AND i.container_id = card_feeds.container_id AND i.due_at IS NOT NULL),
                had_cards = CASE WHEN had_cards = 1 OR EXISTS (SELECT 1 FROM card_instances i
                    WHERE i.environment_id = card_feeds.environment_id AND i.user_id = card_feeds.user_id
                        AND i.container_id = card_feeds.container_id AND i.status = 'active')
                    THEN 1 ELSE 0 END
            WHERE environment_id = ? AND user_id = ? AND container_id = ?
            """, [.text(feed.environmentID), .text(feed.userID), .text(feed.containerID)])
    }
}

/// Many rows in one statement, in few different sizes, so that few statements need to be prepared.
enum SQLRows {
    private static let sizes = [64, 8, 1]

    /// The elements in groups of 64, then 8, then 1.
    static func groups<Element>(_ elements: [Element]) -> [ArraySlice<Element>] {
        var groups: [ArraySlice<Element>] = []
        var start = 0
        for size in sizes {
            while elements.count - start >= size {
                groups.append(elements[start..<start + size])
                start += size
            }
        }
        return groups
    }

    /// The tuple as many times, separated by commas.
    static func values(_ tuple: String, _ count: Int) -> String {
        Array(repeating: tuple, count: count).joined(separator: ", ")
    }
}
