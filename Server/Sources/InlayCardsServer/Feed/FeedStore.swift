import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A reader of users' feeds.
///
/// A version of a feed always has the same content: cards that are due are settled, with a new version of
/// the feed, before it is read.
package struct FeedStore: Sendable {
    /// The result of a read.
    package enum ReadResult: Hashable, Sendable {
        /// The version is the one the reader has.
        case notModified
        /// The JSON of an ``InlayWire/CardFeed``.
        case feed(json: String)
    }

    private enum ReadAttempt: Sendable {
        case unknownContainer
        case due
        case answer(ReadResult)
    }

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let onChange: CardChangeHandler
    let layouts = LayoutCache()

    /// Returns the feed of a user's container, unless its version is `version`. Throws `not-found`.
    package func feed(
        _ environmentID: EnvironmentID, _ userID: UserID, _ containerID: CardContainerID,
        after version: Int64? = nil
    ) async throws -> ReadResult {
        guard containerID.isWellFormed else { throw Problem.notFound("container") }
        let feed = FeedVersions.Feed(
            environmentID: environmentID, userID: userID, containerID: containerID)
        while true {
            let moment = now()
            switch try await database.read({ try read(feed, after: version, at: moment, $0) }) {
            case .unknownContainer: throw Problem.notFound("container")
            case .answer(let answer): return answer
            case .due: try await settle([feed], at: moment)
            }
        }
    }

    /// Returns the numbers of a user's visible cards, by container; cards that are due by now are settled first.
    package func counts(_ environmentID: EnvironmentID, _ userID: UserID) async throws -> CardCounts {
        let moment = now()
        let due = try await database.read {
            try CardSettling.dueFeeds(of: userID, environmentID, at: moment, in: $0)
        }
        if !due.isEmpty { try await settle(due, at: moment) }
        let rows = try await database.read { connection in
            try connection.rows(
                """
                SELECT i.container_id, COUNT(*) AS total, SUM(1 - i.is_seen) AS unseen FROM card_instances i
                JOIN card_containers c ON c.environment_id = i.environment_id AND c.id = i.container_id
                    AND c.is_archived = 0
                WHERE i.environment_id = ? AND i.user_id = ? AND i.status = 'active' GROUP BY i.container_id
                """, [.id(environmentID), .id(userID)]
            ).map { (try $0.text("container_id"), try $0.int("total"), try $0.int("unseen")) }
        }
        let counts = rows.map { ($0.0, CardCounts.Container(total: $0.1, unseen: $0.2)) }
        return CardCounts(containers: Dictionary(counts) { first, _ in first })
    }

    /// Returns the current version of a feed; `nil` when there is no such container.
    package func version(
        _ environmentID: EnvironmentID, _ userID: UserID, _ containerID: CardContainerID
    ) async throws -> Int64? {
        guard containerID.isWellFormed else { return nil }
        return try await database.read { connection in
            try connection.row(
                Self.headStatement, [.id(userID), .id(environmentID), .id(containerID)]
            ).map { try $0.int64("version") }
        }
    }

    /// Returns the current versions of feeds; a feed whose container does not exist is left out.
    func versions(of feeds: [FeedVersions.Feed]) async throws -> [FeedVersions.Feed: Int64] {
        var versions: [FeedVersions.Feed: Int64] = [:]
        let wellFormed = feeds.filter { $0.containerID.isWellFormed }
        for start in stride(from: 0, to: wellFormed.count, by: Self.versionsPerStatement) {
            let batch = Array(wellFormed[start..<min(start + Self.versionsPerStatement, wellFormed.count)])
            let rows = try await database.read { try Self.versionRows(of: batch, $0) }
            versions.merge(rows) { first, _ in first }
        }
        return versions
    }

    private static let versionsPerStatement = 256

    private static func versionRows(
        of feeds: [FeedVersions.Feed], _ connection: any SQLConnection
    ) throws -> [(FeedVersions.Feed, Int64)] {
        // The rows are padded to the next power of two, so that a connection prepares few statements.
        var size = 1
        while size < feeds.count { size *= 2 }
        let padded = feeds + Array(repeating: feeds[0], count: size - feeds.count)
        let places = Array(repeating: "(?, ?, ?)", count: size).joined(separator: ", ")
        return try connection.rows(
            """
            WITH wanted (environment_id, user_id, container_id) AS (VALUES \(places))
            SELECT w.environment_id AS environment_id, w.user_id AS user_id, w.container_id AS container_id,
                COALESCE(f.version, 0) + \(VersionBase.sql) AS version
            FROM wanted w
            JOIN card_containers c ON c.environment_id = w.environment_id AND c.id = w.container_id
                AND c.is_archived = 0
            LEFT JOIN card_feeds f ON f.environment_id = w.environment_id AND f.user_id = w.user_id
                AND f.container_id = w.container_id
            """, padded.flatMap { [.id($0.environmentID), .id($0.userID), .id($0.containerID)] }
        ).map { row in
            let feed = FeedVersions.Feed(
                environmentID: try row.id("environment_id"), userID: try row.id("user_id"),
                containerID: try row.id("container_id"))
            return (feed, try row.int64("version"))
        }
    }

    private func settle(_ feeds: [FeedVersions.Feed], at moment: Timestamp) async throws {
        let changes = try await database.write { connection in
            try feeds.flatMap { try CardSettling.settle($0, at: moment, in: connection) }
        }
        if !changes.isEmpty { await onChange(changes) }
    }

    private func read(
        _ feed: FeedVersions.Feed, after version: Int64?, at moment: Timestamp,
        _ connection: any SQLConnection
    ) throws -> ReadAttempt {
        let key: [SQLValue] = [.id(feed.userID), .id(feed.environmentID), .id(feed.containerID)]
        guard let head = try connection.row(Self.headStatement, key) else { return .unknownContainer }
        if let due = try head.optionalMoment("next_due_at"), due <= moment { return .due }
        let current = try head.int64("version")
        guard current != version else { return .answer(.notModified) }
        var json = FeedJSON(
            containerID: feed.containerID, version: current, serverTime: moment,
            hadCards: try head.optionalInt64("had_cards") == 1)
        for row in try connection.rows(
            Self.cardsStatement, [.id(feed.environmentID), .id(feed.userID), .id(feed.containerID)])
        {
            let template: CardTemplateID = try row.id("template_id")
            let version = try row.int64("layout_version")
            try json.add(row)
            try json.addLayout(template, version) {
                try layouts.json(feed.environmentID, template, version, connection)
            }
        }
        return .answer(.feed(json: json.text))
    }

    private static let headStatement = """
        SELECT COALESCE(f.version, 0) + \(VersionBase.sql) AS version, f.had_cards, f.next_due_at
        FROM card_containers c
        LEFT JOIN card_feeds f ON f.environment_id = c.environment_id AND f.user_id = ? AND f.container_id = c.id
        WHERE c.environment_id = ? AND c.id = ? AND c.is_archived = 0
        """

    private static let cardsStatement = """
        SELECT card_id, template_id, layout_version, created_at, updated_at, active_at, expires_at, is_seen, payload
        FROM card_instances
        WHERE environment_id = ? AND user_id = ? AND container_id = ? AND status = 'active'
        """
}
