import InlaySQL
@_spi(Inlay) import InlayWire

extension JobQueue {
    /// A lane in which jobs wait, and the time at which its first job is due.
    struct Lane: Sendable {
        let name: String
        let dueAt: Timestamp

        /// The kind of its jobs.
        var kind: JobKind { JobKind(rawValue: String(name.prefix { $0 != "/" })) }
    }

    /// The jobs of one kind that a node has free slots for.
    struct Wanted: Sendable {
        let kind: JobKind
        let lease: Duration
        /// Lanes with the number of jobs wanted of each, at most ``maximumLanes``.
        let lanes: [(name: String, count: Int)]
    }

    /// The maximum number of lanes in one claim.
    static let maximumLanes = 64

    /// Returns all lanes of all kinds in which jobs wait or are under way, by the time at which the first is due.
    ///
    /// One statement, which goes from lane to lane through the index: a lane with a million jobs costs as little as one
    /// with a single job.
    func lanes() async throws -> [Lane] {
        let rows = try await database.read {
            try $0.rows(
                """
                WITH RECURSIVE lanes (lane) AS (
                    SELECT MIN(lane) FROM jobs
                    UNION ALL
                    SELECT (SELECT MIN(j.lane) FROM jobs j WHERE j.lane > lanes.lane) FROM lanes
                    WHERE lanes.lane IS NOT NULL)
                SELECT lane, (SELECT MIN(j.due_at) FROM jobs j WHERE j.lane = lanes.lane) AS next
                FROM lanes WHERE lane IS NOT NULL
                """)
        }
        return try rows.map { Lane(name: try $0.text("lane"), dueAt: try $0.moment("next")) }
            .sorted { $0.dueAt < $1.dueAt }
    }

    /// Claims due jobs, one statement for each kind, in one transaction. Rows that another node has locked are skipped.
    func claim(_ wanted: [Wanted]) async throws -> [Job] {
        let moment = now()
        let claims = wanted.map { _ in makeClaim() }
        return try await database.write { connection in
            try zip(wanted, claims).flatMap { try Self.claim($0, as: $1, at: moment, connection) }
        }
    }

    private static func claim(
        _ wanted: Wanted, as claim: String, at moment: Timestamp, _ connection: any SQLConnection
    ) throws -> [Job] {
        let count = [1, 8].first { $0 >= wanted.lanes.count } ?? maximumLanes
        let empty = Array(repeating: (name: "", count: 0), count: count - wanted.lanes.count)
        let arguments = (wanted.lanes + empty).flatMap {
            [SQLValue.text($0.name), .moment(moment), .int($0.count)]
        }
        return try connection.rows(
            claimStatement(count), arguments + [.text(claim), .moment(moment + wanted.lease)]
        ).map { try Job($0, kind: wanted.kind, isRun: true) }
    }

    // A select for each lane and not a window function, which would read all due jobs to take a part of them.
    private static func claimStatement(_ count: Int) -> String {
        let lane = """
            SELECT * FROM (SELECT environment_id, kind, key FROM jobs
                WHERE lane = ? AND due_at <= ? ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED) AS lane
            """
        return """
            WITH due AS MATERIALIZED (
                \(Array(repeating: lane, count: count).joined(separator: "\nUNION ALL\n")))
            UPDATE jobs SET claim = ?, due_at = ?, again_at = NULL
            WHERE (environment_id, kind, key) IN (SELECT environment_id, kind, key FROM due)
            RETURNING *
            """
    }

    /// Extends claims; returns whether all of them still hold.
    func extend(_ jobs: [Job], by lease: Duration) async throws -> Bool {
        let end = now() + lease
        let count = try await leases.write { connection in
            try SQLRows.batches(jobs).reduce(0) { count, some in
                let rows = SQLRows.padded(some.map(Self.identity))
                return try count
                    + connection.execute(
                        """
                        WITH \(SQLRows.table("w", Self.columns, rows.count))
                        UPDATE jobs SET due_at = ? FROM w
                        WHERE \(Self.isHeld)
                        """, rows.values + [.moment(end)])
            }
        }
        return count == jobs.count
    }

    static let columns = ["claim", "environment_id", "kind", "key"]
    static let isHeld = """
        jobs.environment_id = w.environment_id AND jobs.kind = w.kind AND jobs.key = w.key AND jobs.claim = w.claim
        """

    static func identity(_ job: Job) -> [SQLValue] {
        [.text(job.claim), .id(job.environmentID), .text(job.id.kind.rawValue), .text(job.key)]
    }
}

extension Job {
    /// A row of the table; `isRun` says that it is claimed to be run.
    init(_ row: SQLRow, kind: JobKind, isRun: Bool) throws {
        id = ID(environmentID: try row.id("environment_id"), kind: kind, key: try row.text("key"))
        laneName = try row.text("lane")
        claim = try row.optionalText("claim") ?? ""
        attempts = try row.int("attempts") + (isRun ? 1 : 0)
        expiresAt = try row.optionalMoment("expires_at")
        payload = try row.text("payload")
        lastError = try row.text("last_error")
    }
}
