import InlaySQL
import InlayWire

/// The segments of each environment, and who is in them now.
package struct SegmentStore: Sendable, UserSegments {
    private static let mostSegments = 500

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Queries over all events take seconds, so they wait for each other and not for requests of apps.
    private var reader: any SQLDatabase { database.forAnalytics }

    /// A store on a migrated database.
    package init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
    }

    /// Keeps a segment; with the id of another in its place. Throws `invalid-value`.
    @discardableResult
    package func save(
        _ environmentID: String, id: String? = nil, name: String, _ rule: SegmentRule
    ) async throws -> Segment {
        let id = try Limits.id(id ?? Secret.id("seg_"), "id")
        let name = try Limits.name(name)
        let text = try CardJSON.text(rule)
        let moment = now()
        return try await database.write { connection in
            _ = try SegmentQuery(environmentID: environmentID, now: moment, connection: connection)
                .condition(rule)
            let count = try connection.row(
                "SELECT COUNT(*) AS n FROM segments WHERE environment_id = ?", [.text(environmentID)])
            guard try count?.int("n") ?? 0 < Self.mostSegments else {
                throw Problem.invalidValue("segments", "At most \(Self.mostSegments).")
            }
            let row = try connection.row(
                """
                INSERT INTO segments (environment_id, id, name, definition, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (environment_id, id) DO UPDATE SET name = excluded.name,
                    definition = excluded.definition, updated_at = excluded.updated_at RETURNING *
                """,
                [
                    .text(environmentID), .text(id), .text(name), .text(text), .moment(moment),
                    .moment(moment),
                ])
            guard let row else { throw Problem.notFound("segment") }
            return try Segment(row)
        }
    }

    /// Every segment by name.
    package func segments(_ environmentID: String) async throws -> [Segment] {
        try await database.read {
            try $0.rows(
                "SELECT * FROM segments WHERE environment_id = ? ORDER BY name, id", [.text(environmentID)]
            ).map(Segment.init)
        }
    }

    /// One segment, or `nil`.
    package func segment(_ environmentID: String, _ id: String) async throws -> Segment? {
        try await database.read { try Self.segment(environmentID, id, $0) }
    }

    /// Removes a segment; events sent to it from then on reach nobody.
    package func remove(_ environmentID: String, _ id: String) async throws {
        let removed = try await database.write {
            try $0.execute(
                "DELETE FROM segments WHERE environment_id = ? AND id = ?", [.text(environmentID), .text(id)])
        }
        guard removed == 1 else { throw Problem.notFound("segment") }
    }

    /// Throws `invalid-value` for a rule that cannot be kept, for example with a column that its list does not have.
    package func check(_ environmentID: String, _ rule: SegmentRule) async throws {
        let moment = now()
        try await database.read { connection in
            _ = try SegmentQuery(environmentID: environmentID, now: moment, connection: connection)
                .condition(rule)
        }
    }

    /// How many users a rule means now, for showing it before it is kept. Throws `invalid-value`.
    package func count(_ environmentID: String, _ rule: SegmentRule) async throws -> Int {
        let moment = now()
        return try await reader.read { connection in
            let (sql, arguments) = try SegmentQuery(
                environmentID: environmentID, now: moment, connection: connection
            ).condition(rule)
            return try connection.row(
                "SELECT COUNT(*) AS n FROM users u WHERE u.environment_id = ? AND \(sql)",
                [.text(environmentID)] + arguments)?.int("n") ?? 0
        }
    }

    /// The users of a segment in order, after an id; at most 5,000.
    package func users(
        _ environmentID: String, _ id: String, after: String = "", limit: Int = 100
    ) async throws -> [String] {
        try await ids(environmentID, id, after: after, limit: min(max(limit, 1), 5_000))
    }

    // MARK: UserSegments

    package func exists(
        _ environmentID: String, segment id: String, in connection: any SQLConnection
    ) throws -> Bool {
        try Self.segment(environmentID, id, connection) != nil
    }

    package func contains(
        _ environmentID: String, segment id: String, user userID: String, in connection: any SQLConnection
    ) throws -> Bool {
        guard let segment = try Self.segment(environmentID, id, connection) else { return false }
        let query = SegmentQuery(environmentID: environmentID, now: now(), connection: connection)
        guard let (sql, arguments) = try? query.condition(segment.rule) else { return false }
        return try connection.row(
            "SELECT 1 AS one FROM users u WHERE u.environment_id = ? AND u.id = ? AND \(sql)",
            [.text(environmentID), .text(userID)] + arguments) != nil
    }

    package func users(
        _ environmentID: String, segment id: String, after userID: String, limit: Int
    ) async throws -> [String] {
        try await ids(environmentID, id, after: userID, limit: limit)
    }

    private func ids(
        _ environmentID: String, _ id: String, after: String, limit: Int
    ) async throws -> [String] {
        let moment = now()
        return try await reader.read { connection in
            guard let segment = try Self.segment(environmentID, id, connection) else { return [] }
            let query = SegmentQuery(environmentID: environmentID, now: moment, connection: connection)
            // A list or column that was removed since means nobody, and not a delivery that never ends.
            guard let (sql, arguments) = try? query.condition(segment.rule) else { return [] }
            return try connection.rows(
                """
                SELECT u.id FROM users u WHERE u.environment_id = ? AND u.id > ? AND \(sql) ORDER BY u.id LIMIT ?
                """, [.text(environmentID), .text(after)] + arguments + [.int(limit)]
            ).map { try $0.text("id") }
        }
    }

    private static func segment(
        _ environmentID: String, _ id: String, _ connection: any SQLConnection
    ) throws -> Segment? {
        try connection.row(
            "SELECT * FROM segments WHERE environment_id = ? AND id = ?", [.text(environmentID), .text(id)]
        ).map(Segment.init)
    }
}

extension Segment {
    init(_ row: SQLRow) throws {
        self.init(
            id: try row.text("id"), name: try row.text("name"),
            rule: try CardJSON.value(try row.text("definition")), createdAt: try row.moment("created_at"),
            updatedAt: try row.moment("updated_at"))
    }
}
