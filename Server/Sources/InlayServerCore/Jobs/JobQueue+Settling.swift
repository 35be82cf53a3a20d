package import InlaySQL
@_spi(Inlay) import InlayWire

extension JobQueue {
    /// The error when the claims of some results have ended; it has the jobs whose claims still hold.
    struct ClaimLost: Error {
        let held: Set<Job.ID>
    }

    /// Stores results and the handlers' records of them in one transaction, and keeps jobs that were given up.
    ///
    /// This decides the order of locks: first the rows of features, in the order of the jobs' keys, then the jobs, then
    /// the given-up jobs. Other transactions also change a feature's rows before they enqueue or remove its job.
    /// Transactions that change several rows and jobs in turn, and bodies that share a commit, can still wait for each
    /// other: PostgreSQL then ends one, and it runs again.
    ///
    /// Throws ``ClaimLost`` when claims have ended, and stores nothing: the records of all were written before.
    func store(_ settlements: [JobSettlement]) async throws {
        let ordered = settlements.sorted {
            ($0.job.environmentID.rawValue, $0.job.key) < ($1.job.environmentID.rawValue, $1.job.key)
        }
        let moment = now()
        try await database.write { connection in
            for settlement in ordered {
                try settlement.handler.record(settlement.result, of: settlement.job, in: connection)
            }
            let settled = try Self.settle(ordered.map { ($0.job, $0.result) }, in: connection)
            guard settled.count == ordered.count else { throw ClaimLost(held: settled) }
            try Self.keep(ordered, at: moment, in: connection)
        }
    }

    /// Returns the condition that a job's claim holds, for a statement of a caller that has locked the job's row of the
    /// feature.
    package static func holds(_ job: Job) -> (sql: String, arguments: [SQLValue]) {
        let sql =
            "EXISTS (SELECT 1 FROM jobs WHERE claim = ? AND environment_id = ? AND kind = ? AND key = ?)"
        return (sql, identity(job))
    }

    /// Stores the results of claimed jobs within a transaction of the caller.
    ///
    /// Returns the jobs whose claim held until now. The others belong to another node, and the caller must write
    /// nothing for them.
    package static func settle(
        _ results: [(job: Job, result: JobResult)], in connection: any SQLConnection
    ) throws -> Set<Job.ID> {
        var ended: [Job] = []
        var waiting: [Waiting] = []
        for (job, result) in results {
            switch result {
            case .done, .failed: ended.append(job)
            case .again(let moment, let payload):
                waiting.append(Waiting(job, moment, attempts: 0, payload: payload))
            case .retry(let moment, let error):
                waiting.append(Waiting(job, moment, attempts: job.attempts, error: error))
            case .released(let moment):
                waiting.append(Waiting(job, moment, attempts: job.attempts - 1, error: job.lastError))
            }
        }
        return try remove(ended, in: connection).union(putBack(waiting, in: connection))
    }

    /// A job that is to be due again.
    private struct Waiting {
        let job: Job
        let dueAt: Timestamp
        let attempts: Int
        let payload: String
        let error: String

        init(_ job: Job, _ dueAt: Timestamp, attempts: Int, payload: String? = nil, error: String = "") {
            self.job = job
            self.dueAt = dueAt
            self.attempts = attempts
            self.payload = payload ?? job.payload
            self.error = error.prefix(scalars: 300)
        }
    }

    /// Removes jobs, except those that were enqueued again in the meantime, which become due again.
    private static func remove(_ jobs: [Job], in connection: any SQLConnection) throws -> Set<Job.ID> {
        try eachPiece(jobs.map(identity), columns, in: connection) { rows, table in
            let removed = try connection.rows(
                """
                WITH \(table)
                DELETE FROM jobs WHERE (claim, environment_id, kind, key) IN (SELECT claim, environment_id, kind, key FROM w)
                    AND again_at IS NULL RETURNING environment_id, kind, key
                """, rows.values)
            guard removed.count < rows.filled else { return removed }
            return removed
                + (try connection.rows(
                    """
                    WITH \(table)
                    UPDATE jobs SET due_at = again_at, again_at = NULL, claim = NULL, attempts = 0, last_error = ''
                    WHERE (claim, environment_id, kind, key) IN (SELECT claim, environment_id, kind, key FROM w)
                    RETURNING environment_id, kind, key
                    """, rows.values))
        }
    }

    /// Ends the claims of jobs that become due again: at their new time, or earlier when they were enqueued for an
    /// earlier one.
    private static func putBack(_ waiting: [Waiting], in connection: any SQLConnection) throws -> Set<Job.ID>
    {
        let values = waiting.map { waiting -> [SQLValue] in
            identity(waiting.job) + [
                .moment(waiting.dueAt), .int(waiting.attempts), .text(waiting.payload), .text(waiting.error),
            ]
        }
        let columns = columns + ["due_at", "attempts", "payload", "last_error"]
        return try eachPiece(values, columns, in: connection) { rows, table in
            try connection.rows(
                """
                WITH \(table)
                UPDATE jobs SET claim = NULL, again_at = NULL, attempts = w.attempts, last_error = w.last_error,
                    payload = CASE WHEN jobs.again_at IS NULL THEN w.payload ELSE jobs.payload END,
                    due_at = CASE WHEN jobs.again_at < w.due_at THEN jobs.again_at ELSE w.due_at END
                FROM w WHERE \(isHeld)
                RETURNING jobs.environment_id AS environment_id, jobs.kind AS kind, jobs.key AS key
                """, rows.values)
        }
    }

    /// The values of one statement, and the number of its rows that are jobs.
    private struct Piece {
        let values: [SQLValue]
        let filled: Int
    }

    private static func eachPiece(
        _ rows: [[SQLValue]], _ columns: [String], in connection: any SQLConnection,
        _ body: (Piece, String) throws -> [SQLRow]
    ) throws -> Set<Job.ID> {
        var found: Set<Job.ID> = []
        for some in SQLRows.batches(rows) {
            let padded = SQLRows.padded(Array(some))
            let piece = Piece(values: padded.values, filled: some.count)
            for row in try body(piece, SQLRows.table("w", columns, padded.count)) {
                found.insert(
                    Job.ID(
                        environmentID: try row.id("environment_id"),
                        kind: JobKind(rawValue: try row.text("kind")), key: try row.text("key")))
            }
        }
        return found
    }
}
