import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The version of every feed, and the time at which the feed next changes by itself.
///
/// Call ``update(_:in:)`` in the transaction that changed the cards, after the change. The first statement
/// locks the feed's row; the second, with a snapshot taken after the lock, sees what other nodes committed.
enum FeedVersions {
    /// One user's feed of one container.
    struct Feed: Hashable, Sendable {
        let environmentID: EnvironmentID
        let userID: UserID
        let containerID: CardContainerID
    }

    /// Writes the next due time of each feed, and a new version if its value is `true`: its visible cards changed.
    ///
    /// Returns the changes of feeds, to be sent after the commit.
    static func update(
        _ feeds: [Feed: Bool], in connection: any SQLConnection
    ) throws -> [LiveChange] {
        // All writers lock feeds in this order, so that two nodes never deadlock.
        let ordered = feeds.sorted {
            ($0.key.userID, $0.key.containerID) < ($1.key.userID, $1.key.containerID)
        }
        var changes: [LiveChange] = []
        var due: [(feed: Feed, dueAt: Timestamp)] = []
        for batch in SQLRows.batches(ordered) {
            let rows = SQLRows.padded(
                batch.map { feed, isVisible in
                    [
                        .id(feed.environmentID), .id(feed.userID), .id(feed.containerID),
                        .bool(isVisible),
                    ]
                })
            let changed = Set(batch.filter(\.value).map(\.key))
            let bumped = try bump(rows, in: connection)
            changes += bumped.filter { changed.contains($0.feed) }.map(\.change)
            let before = Dictionary(bumped.map { ($0.feed, $0.dueAt) }) { first, _ in first }
            // A feed whose due time did not move to an earlier time has its job already. A job that is due too early
            // reads the feed's due time, and is due again then.
            due += try schedule(rows, in: connection).filter { feed, dueAt in
                guard let old = before[feed] ?? nil else { return true }
                return dueAt < old
            }
        }
        // Jobs come after all feeds: two transactions that wrote feeds and jobs in turn could deadlock.
        try CardFeedJobs.enqueue(due, in: connection)
        return changes
    }

    private static func bump(
        _ rows: SQLRows.Padded, in connection: any SQLConnection
    ) throws -> [(feed: Feed, change: LiveChange, dueAt: Timestamp?)] {
        try connection.rows(
            """
            \(insertion(rows.count))
                DO UPDATE SET version = card_feeds.version + excluded.version
            RETURNING environment_id, user_id, container_id, card_feeds.version + \(VersionBase.sql) AS version,
                next_due_at
            """, rows.values
        ).map { row in
            let feed = try Feed(row)
            let change = LiveChange(
                environmentID: feed.environmentID, userID: feed.userID,
                topic: LiveMessage.cardTopic(container: feed.containerID.rawValue),
                version: try row.int64("version"))
            return (feed, change, try row.optionalMoment("next_due_at"))
        }
    }

    // The rows exist already. `INSERT … ON CONFLICT` is used because it always finds rows by the key's index, whatever
    // PostgreSQL would plan for a join with hundreds of values. Most feeds do not change: writing them would double
    // the cost of a delivery.
    private static func schedule(
        _ rows: SQLRows.Padded, in connection: any SQLConnection
    ) throws -> [(feed: Feed, dueAt: Timestamp)] {
        let cards = """
            FROM card_instances i WHERE i.environment_id = card_feeds.environment_id
                AND i.user_id = card_feeds.user_id AND i.container_id = card_feeds.container_id
            """
        let dueAt = "(SELECT MIN(i.due_at) \(cards) AND i.due_at IS NOT NULL)"
        let hasCards = "(card_feeds.had_cards = 1 OR EXISTS (SELECT 1 \(cards) AND i.status = 'active'))"
        return try connection.rows(
            """
            \(insertion(rows.count))
                DO UPDATE SET next_due_at = \(dueAt), had_cards = CASE WHEN \(hasCards) THEN 1 ELSE 0 END
                WHERE card_feeds.next_due_at IS DISTINCT FROM \(dueAt)
                    OR (card_feeds.had_cards = 0 AND \(hasCards))
            RETURNING environment_id, user_id, container_id, next_due_at
            """, rows.values
        ).compactMap { row in
            guard let dueAt = try row.optionalMoment("next_due_at") else { return nil }
            return (try Feed(row), dueAt)
        }
    }

    /// Returns the next due times of those feeds that have one.
    static func nextDue(_ feeds: [Feed], in connection: any SQLConnection) throws -> [Feed: Timestamp] {
        var next: [Feed: Timestamp] = [:]
        for batch in SQLRows.batches(feeds) {
            let rows = SQLRows.padded(
                batch.map {
                    [.id($0.userID), .id($0.environmentID), .id($0.containerID)]
                })
            let found = try connection.rows(
                """
                WITH \(SQLRows.table("w", ["user_id", "environment_id", "container_id"], rows.count))
                SELECT f.environment_id, f.user_id, f.container_id, f.next_due_at FROM w JOIN card_feeds f
                    ON f.environment_id = w.environment_id AND f.user_id = w.user_id
                        AND f.container_id = w.container_id
                WHERE f.next_due_at IS NOT NULL
                """, rows.values)
            for row in found { next[try Feed(row)] = try row.moment("next_due_at") }
        }
        return next
    }

    private static func insertion(_ count: Int) -> String {
        """
        WITH \(SQLRows.table("f", ["environment_id", "user_id", "container_id", "change"], count))
        INSERT INTO card_feeds (environment_id, user_id, container_id, version, had_cards, next_due_at)
        SELECT f.environment_id, f.user_id, f.container_id, f.change, 0, CAST(NULL AS BIGINT) FROM f
        WHERE f.user_id <> ''
        ON CONFLICT (environment_id, user_id, container_id)
        """
    }
}
