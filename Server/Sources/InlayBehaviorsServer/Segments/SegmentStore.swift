package import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The store of each environment's segments, which also evaluates their current users.
package struct SegmentStore: Sendable, UserSegments {
    private static let maximumSegments = 500

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    /// The conditions that rules may have.
    let conditions: AudienceConditions
    private let queries = SegmentQueryCache()

    /// The database with the analytics connections. Queries over all events take seconds, so they wait for each other
    /// and do not delay the requests of apps.
    private var reader: any SQLDatabase { database.forAnalytics }

    /// Creates a store on a migrated database; by default, rules may have the conditions of Behaviors.
    package init(
        database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp,
        conditions: AudienceConditions = AudienceConditions(BehaviorsFeature.audienceConditions)
    ) {
        self.database = database
        self.now = now
        self.conditions = conditions
    }

    /// Saves a segment. With the id of a saved segment it replaces that one. Throws `invalid-value`, also for a 501st
    /// segment.
    @discardableResult
    package func save(
        _ environmentID: EnvironmentID, id: SegmentID? = nil, name: String, _ rule: SegmentRule
    ) async throws -> Segment {
        let id = try Limits.id(id ?? SegmentID(Secret.id("seg_")), "id")
        let name = try Limits.name(name)
        let text = try JSONColumn.text(rule)
        let moment = now()
        return try await database.write { connection in
            do {
                _ = try condition(rule, audience(environmentID, moment, connection))
            } catch let faults as FieldErrors {
                throw faults.problem
            }
            let count = try connection.row(
                "SELECT COUNT(*) AS n FROM segments WHERE environment_id = ? AND id <> ?",
                [.id(environmentID), .id(id)])
            guard try count?.int("n") ?? 0 < Self.maximumSegments else {
                throw Problem.invalidValue("segments", "At most \(Self.maximumSegments).")
            }
            let row = try connection.row(
                """
                INSERT INTO segments (environment_id, id, name, definition, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (environment_id, id) DO UPDATE SET name = excluded.name,
                    definition = excluded.definition, updated_at = excluded.updated_at RETURNING *
                """,
                [
                    .id(environmentID), .id(id), .text(name), .text(text), .moment(moment),
                    .moment(moment),
                ])
            guard let row else { throw Problem.notFound("segment") }
            return try Segment(row)
        }
    }

    /// Returns all segments, sorted by name.
    package func segments(_ environmentID: EnvironmentID) async throws -> [Segment] {
        try await database.read {
            try $0.rows(
                "SELECT * FROM segments WHERE environment_id = ? ORDER BY name, id", [.id(environmentID)]
            ).map(Segment.init)
        }
    }

    /// Returns a segment; `nil` when there is none with this id.
    package func segment(_ environmentID: EnvironmentID, _ id: SegmentID) async throws -> Segment? {
        try await database.read { try Self.segment(environmentID, id, $0) }
    }

    /// Deletes a segment; events sent to it from then on reach no users. Throws `not-found`.
    package func remove(_ environmentID: EnvironmentID, _ id: SegmentID) async throws {
        try await database.changeOne(
            "segment", "DELETE FROM segments WHERE environment_id = ? AND id = ?",
            [.id(environmentID), .id(id)])
    }

    /// Throws `FieldErrors` for an invalid rule, for example with a column that its list does not have.
    package func check(_ environmentID: EnvironmentID, _ rule: SegmentRule) async throws {
        let moment = now()
        try await database.read { _ = try condition(rule, audience(environmentID, moment, $0)) }
    }

    /// Returns whether this server can evaluate each condition of a rule. Otherwise the rule matches no users.
    func isReadable(_ rule: SegmentRule) -> Bool { SegmentQuery(rule, conditions).isReadable }

    /// Returns the forms of all conditions, with the environment's choices.
    func forms(_ environmentID: EnvironmentID) async throws -> [SegmentConditionForm] {
        let moment = now()
        return try await database.read { connection in
            let audience = audience(environmentID, moment, connection)
            return try conditions.all.map { condition in
                SegmentConditionForm(
                    kind: condition.kind, label: condition.label, oppositeLabel: condition.oppositeLabel,
                    fields: try condition.fields(in: audience))
            }
        }
    }

    /// Returns the current number of users of a rule that need not be saved. Throws `invalid-value`.
    package func count(_ environmentID: EnvironmentID, _ rule: SegmentRule) async throws -> Int {
        let moment = now()
        return try await reader.read { connection in
            do {
                let audience = audience(environmentID, moment, connection)
                return try Self.count(environmentID, try condition(rule, audience), connection)
            } catch let faults as FieldErrors {
                throw faults.problem
            }
        }
    }

    /// Returns the users of a segment after an id, sorted by id; at most 5,000.
    package func users(
        _ environmentID: EnvironmentID, _ id: SegmentID, after: UserID = .beforeAll, limit: Int = 100
    ) async throws -> [UserID] {
        try await ids(environmentID, id, after: after, limit: min(max(limit, 1), 5_000))
    }

    // MARK: UserSegments

    package func names(_ environmentID: EnvironmentID) async throws -> [NamedSegment] {
        try await segments(environmentID).map { NamedSegment(id: $0.id, name: $0.name) }
    }

    package func count(_ environmentID: EnvironmentID, segment id: SegmentID) async throws -> Int {
        let moment = now()
        return try await reader.read { connection in
            let condition = try condition(ofSegment: id, audience(environmentID, moment, connection))
            return try condition.map { try Self.count(environmentID, $0, connection) } ?? 0
        }
    }

    package func exists(
        _ environmentID: EnvironmentID, segment id: SegmentID, in connection: any SQLConnection
    ) throws -> Bool {
        try Self.definition(environmentID, id, connection) != nil
    }

    package func contains(
        _ environmentID: EnvironmentID, segment id: SegmentID, user userID: UserID,
        in connection: any SQLConnection
    ) throws -> Bool {
        let condition = try condition(ofSegment: id, audience(environmentID, now(), connection))
        guard let (sql, arguments) = condition else { return false }
        return try connection.row(
            "SELECT 1 AS one FROM users u WHERE u.environment_id = ? AND u.id = ? AND \(sql)",
            [.id(environmentID), .id(userID)] + arguments) != nil
    }

    package func users(
        _ environmentID: EnvironmentID, segment id: SegmentID, after userID: UserID, limit: Int
    ) async throws -> [UserID] {
        try await ids(environmentID, id, after: userID, limit: limit)
    }

    private func ids(
        _ environmentID: EnvironmentID, _ id: SegmentID, after: UserID, limit: Int
    ) async throws -> [UserID] {
        let moment = now()
        return try await reader.read { connection in
            let condition = try condition(ofSegment: id, audience(environmentID, moment, connection))
            guard let (sql, arguments) = condition else { return [] }
            return try connection.rows(
                """
                SELECT u.id FROM users u WHERE u.environment_id = ? AND u.id > ? AND \(sql) ORDER BY u.id LIMIT ?
                """, [.id(environmentID), .id(after)] + arguments + [.int(limit)]
            ).map { try $0.id("id") }
        }
    }

    /// Returns the condition of a stored segment; `nil` when the segment matches no users, because it or a list that it
    /// uses was removed, or because its rule cannot be read. An error instead would repeat a delivery forever.
    private func condition(
        ofSegment id: SegmentID, _ audience: AudienceContext
    ) throws -> (sql: String, arguments: [SQLValue])? {
        let environmentID = audience.environmentID
        guard let definition = try Self.definition(environmentID, id, audience.connection) else { return nil }
        let query = queries.query(environmentID, id, definition: definition) {
            SegmentQuery(SegmentRule(stored: definition), conditions)
        }
        do { return try query.condition(in: audience) } catch is FieldErrors { return nil }
    }

    private func condition(
        _ rule: SegmentRule, _ audience: AudienceContext
    ) throws -> (sql: String, arguments: [SQLValue]) {
        try SegmentQuery(rule, conditions).condition(in: audience)
    }

    private func audience(
        _ environmentID: EnvironmentID, _ moment: Timestamp, _ connection: any SQLConnection
    ) -> AudienceContext {
        AudienceContext(environmentID: environmentID, now: moment, connection: connection)
    }

    private static func count(
        _ environmentID: EnvironmentID, _ condition: (sql: String, arguments: [SQLValue]),
        _ connection: any SQLConnection
    ) throws -> Int {
        try connection.row(
            "SELECT COUNT(*) AS n FROM users u WHERE u.environment_id = ? AND \(condition.sql)",
            [.id(environmentID)] + condition.arguments)?.int("n") ?? 0
    }

    private static func definition(
        _ environmentID: EnvironmentID, _ id: SegmentID, _ connection: any SQLConnection
    ) throws -> String? {
        try connection.row(
            "SELECT definition FROM segments WHERE environment_id = ? AND id = ?",
            [.id(environmentID), .id(id)]
        )?.text("definition")
    }

    private static func segment(
        _ environmentID: EnvironmentID, _ id: SegmentID, _ connection: any SQLConnection
    ) throws -> Segment? {
        try connection.row(
            "SELECT * FROM segments WHERE environment_id = ? AND id = ?", [.id(environmentID), .id(id)]
        ).map(Segment.init)
    }
}

extension Segment {
    init(_ row: SQLRow) throws {
        self.init(
            id: try row.id("id"), name: try row.text("name"),
            rule: SegmentRule(stored: try row.text("definition")), createdAt: try row.moment("created_at"),
            updatedAt: try row.moment("updated_at"))
    }
}
