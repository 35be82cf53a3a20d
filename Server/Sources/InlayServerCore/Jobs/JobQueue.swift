import Foundation
package import InlaySQL
@_spi(Inlay) package import InlayWire

/// A durable queue of work that the server does later.
///
/// A job is enqueued in the transaction that makes it necessary, claimed by one node for the time of a lease, and
/// removed in the transaction that stores its result. When a node ends, others take its jobs over after the lease.
package struct JobQueue: Sendable {
    let database: any SQLDatabase
    /// The write lane of renewals: a short lease must not end while results are stored. Each renewal has a transaction
    /// of its own, so it never locks the jobs of several runs in another order than a transaction that settles them.
    let leases: any SQLDatabase
    let now: @Sendable () -> Timestamp
    /// Makes the ids of claims.
    let makeClaim: @Sendable () -> String
    /// Ends the wait of this node's runner.
    let wakeup = Wakeup()

    /// Creates the queue of a database, in write lanes of its own.
    package init(
        database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp,
        makeClaim: @escaping @Sendable () -> String = { UUID().uuidString }
    ) {
        self.database = database.lane("jobs")
        leases = database.lane("job-leases", sharesCommits: false)
        self.now = now
        self.makeClaim = makeClaim
    }

    /// Makes this node look for due jobs at once. Call it after the commit; nodes that are not woken look every second.
    package func wake() { wakeup.signal() }

    /// Enqueues a job within a transaction of the caller.
    package static func enqueue(_ job: NewJob, in connection: any SQLConnection) throws {
        try enqueue([job], in: connection)
    }

    /// Enqueues jobs within a transaction of the caller, up to 512 in a statement.
    ///
    /// A job that waits already is due at the earlier of both times, with the new payload; one that is under way is
    /// due again when it has ended. Keys must differ.
    package static func enqueue(_ jobs: [NewJob], in connection: any SQLConnection) throws {
        for some in SQLRows.batches(jobs) {
            let rows = SQLRows.padded(
                some.map { job in
                    [
                        .text(job.id.key), .id(job.id.environmentID), .text(job.id.kind.rawValue),
                        .text(job.laneName), .moment(job.dueAt), .integer(job.expiresAt?.microseconds ?? 0),
                        .int(job.minimumAttempts), .text(job.payload),
                    ]
                })
            try connection.execute(enqueueStatement(rows.count), rows.values)
        }
    }

    /// Removes a job, also one that is under way, within a transaction of the caller.
    package static func remove(_ id: Job.ID, in connection: any SQLConnection) throws {
        try connection.execute(
            "DELETE FROM jobs WHERE environment_id = ? AND kind = ? AND key = ?",
            [.id(id.environmentID), .text(id.kind.rawValue), .text(id.key)])
    }

    private static func enqueueStatement(_ count: Int) -> String {
        let columns = [
            "key", "environment_id", "kind", "lane", "due_at", "expires_at", "minimum_attempts", "payload",
        ]
        return """
            WITH \(SQLRows.table("w", columns, count))
            INSERT INTO jobs (environment_id, kind, key, lane, due_at, attempts, expires_at, minimum_attempts,
                payload, last_error)
            SELECT w.environment_id, w.kind, w.key, w.lane, w.due_at, 0, NULLIF(w.expires_at, 0), w.minimum_attempts,
                w.payload, ''
            FROM w WHERE w.key <> ''
            ON CONFLICT (environment_id, kind, key) DO UPDATE SET
                lane = excluded.lane, payload = excluded.payload, expires_at = excluded.expires_at,
                attempts = CASE WHEN jobs.claim IS NULL THEN 0 ELSE jobs.attempts END,
                due_at = CASE WHEN jobs.claim IS NULL AND excluded.due_at < jobs.due_at
                    THEN excluded.due_at ELSE jobs.due_at END,
                again_at = CASE WHEN jobs.claim IS NULL THEN NULL
                    WHEN jobs.again_at < excluded.due_at THEN jobs.again_at ELSE excluded.due_at END
            """
    }
}
