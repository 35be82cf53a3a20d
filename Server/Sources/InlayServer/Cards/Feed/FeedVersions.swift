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
        for start in stride(from: 0, to: ordered.count, by: SQLRows.maximumRows) {
            let some = ordered[start..<min(start + SQLRows.maximumRows, ordered.count)]
            let rows = SQLRows.padded(
                some.map { feed, isVisible in
                    [
                        .text(feed.environmentID), .text(feed.userID), .text(feed.containerID),
                        .bool(isVisible),
                    ]
                })
            let changed = Set(some.filter(\.value).map(\.key))
            news += try bump(rows, in: connection).filter { changed.contains($0.feed) }.map(\.news)
            try schedule(rows, in: connection)
        }
        return news
    }

    private static func bump(
        _ rows: SQLRows.Padded, in connection: any SQLConnection
    ) throws -> [(feed: Feed, news: LiveChange)] {
        try connection.rows(
            """
            \(insertion(rows.count))
                DO UPDATE SET version = card_feeds.version + excluded.version
            RETURNING environment_id, user_id, container_id, card_feeds.version + \(VersionBase.sql) AS version
            """, rows.values
        ).map { row in
            let feed = try Feed(row)
            let news = LiveChange(
                environmentID: feed.environmentID, userID: feed.userID,
                topic: LiveMessage.cardTopic(container: feed.containerID), version: try row.int64("version"))
            return (feed, news)
        }
    }

    // The rows exist: the insertion is there because its look at the key uses the key's index, whatever the
    // planner of PostgreSQL thinks of a join with hundreds of values.
    private static func schedule(_ rows: SQLRows.Padded, in connection: any SQLConnection) throws {
        try connection.execute(
            """
            \(insertion(rows.count)) DO UPDATE SET
                next_due_at = (SELECT MIN(i.due_at) FROM card_instances i
                    WHERE i.environment_id = card_feeds.environment_id AND i.user_id = card_feeds.user_id
                        AND i.container_id = card_feeds.container_id AND i.due_at IS NOT NULL),
                had_cards = CASE WHEN card_feeds.had_cards = 1 OR EXISTS (SELECT 1 FROM card_instances i
                    WHERE i.environment_id = card_feeds.environment_id AND i.user_id = card_feeds.user_id
                        AND i.container_id = card_feeds.container_id AND i.status = 'active')
                    THEN 1 ELSE 0 END
            """, rows.values)
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

    /// Rows for a ``table(_:_:_:)``, with empty ones behind them.
    struct Padded {
        /// Rows, the empty ones included.
        let count: Int
        /// The values of all rows, one row after another.
        let values: [SQLValue]
    }

    /// The maximum number of rows of a ``table(_:_:_:)``.
    static let maximumRows = 512

    /// Up to ``maximumRows`` rows, filled up with rows of empty texts and zeros to one of few sizes.
    ///
    /// The statement leaves out rows whose first text is empty, which no id is.
    static func padded(_ rows: [[SQLValue]]) -> Padded {
        let count = [1, 8, 64].first { $0 >= rows.count } ?? maximumRows
        let empty = (rows.first ?? []).map { value -> SQLValue in
            if case .text = value { .text("") } else { .integer(0) }
        }
        let filling = Array(repeating: empty, count: count - rows.count)
        return Padded(count: count, values: (rows + filling).flatMap { $0 })
    }

    /// A table of arguments, for behind `WITH`.
    static func table(_ name: String, _ columns: [String], _ count: Int) -> String {
        let row = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
        return "\(name) (\(columns.joined(separator: ", "))) AS (VALUES \(values(row, count)))"
    }

    /// The tuple as many times, separated by commas.
    static func values(_ tuple: String, _ count: Int) -> String {
        Array(repeating: tuple, count: count).joined(separator: ", ")
    }
}
