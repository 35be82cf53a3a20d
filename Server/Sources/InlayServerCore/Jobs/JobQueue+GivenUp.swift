package import InlaySQL
@_spi(Inlay) package import InlayWire

/// A job that was given up and is stored, so that an operator can run it again.
package struct GivenUpJob: Sendable, Identifiable {
    package let id: Job.ID
    /// The job's lane within its kind; see ``NewJob``.
    package let lane: String
    /// The number of failed runs.
    package let attempts: Int
    /// The feature's own data for the job, as text.
    package let payload: String
    /// The error of the last run, or, without one, the text that the job expired while it waited.
    package let error: String
    package let givenUpAt: Timestamp

    init(_ row: SQLRow) throws {
        id = Job.ID(
            environmentID: try row.id("environment_id"), kind: JobKind(rawValue: try row.text("kind")),
            key: try row.text("key"))
        lane = id.kind.lane(named: try row.text("lane"))
        attempts = try row.int("attempts")
        payload = try row.text("payload")
        error = try row.text("error")
        givenUpAt = try row.moment("given_up_at")
    }
}

extension JobQueue {
    /// The time for which a given-up job is kept.
    package static let givenUpRetention: Duration = .seconds(7 * 24 * 3600)

    /// Stores jobs that were given up, within the transaction that removed them. A job that was enqueued again in the
    /// meantime has not ended and is not stored.
    static func keep(_ settlements: [JobSettlement], at moment: Timestamp, in connection: any SQLConnection)
        throws
    {
        let jobs = settlements.compactMap { settlement -> [SQLValue]? in
            guard case .failed(let error) = settlement.result,
                settlement.handler.keepsGivenUp(settlement.job)
            else { return nil }
            let job = settlement.job
            let reason = [error, job.lastError].compactMap { $0 }.first { !$0.isEmpty }
            return [
                .text(job.key), .id(job.environmentID), .text(job.id.kind.rawValue), .text(job.laneName),
                .text(job.payload), .int(job.attempts),
                .text((reason ?? "It expired while it waited.").prefix(scalars: 300)), .moment(moment),
            ]
        }
        for some in SQLRows.batches(jobs) {
            let rows = SQLRows.padded(Array(some))
            let columns = [
                "key", "environment_id", "kind", "lane", "payload", "attempts", "error", "given_up_at",
            ]
            let names = columns.joined(separator: ", ")
            try connection.execute(
                """
                WITH \(SQLRows.table("w", columns, rows.count))
                INSERT INTO given_up_jobs (\(names)) SELECT \(names) FROM w WHERE w.key <> '' AND NOT EXISTS (
                    SELECT 1 FROM jobs j
                    WHERE j.environment_id = w.environment_id AND j.kind = w.kind AND j.key = w.key)
                ON CONFLICT (environment_id, kind, key) DO UPDATE SET lane = excluded.lane,
                    payload = excluded.payload, attempts = excluded.attempts, error = excluded.error,
                    given_up_at = excluded.given_up_at
                """, rows.values)
        }
    }

    /// The jobs of an environment that were given up, the newest first.
    package func givenUp(_ environmentID: EnvironmentID, limit: Int) async throws -> [GivenUpJob] {
        try await database.read {
            try $0.rows(
                "SELECT * FROM given_up_jobs WHERE environment_id = ? ORDER BY given_up_at DESC, kind, key LIMIT ?",
                [.id(environmentID), .int(limit)]
            ).map(GivenUpJob.init)
        }
    }

    /// The number of all jobs of an environment that were given up.
    package func givenUpCount(_ environmentID: EnvironmentID) async throws -> Int {
        try await database.read {
            try $0.row(
                "SELECT COUNT(*) AS n FROM given_up_jobs WHERE environment_id = ?", [.id(environmentID)]
            )?.int("n") ?? 0
        }
    }

    /// The numbers of given-up jobs that were enqueued again, and of those that were obsolete.
    package struct Requeued: Sendable {
        package var enqueued = 0
        package var obsolete = 0

        var count: Int { enqueued + obsolete }

        static func += (sum: inout Requeued, other: Requeued) {
            sum.enqueued += other.enqueued
            sum.obsolete += other.obsolete
        }
    }

    /// Enqueues the job that the handler returns for a given-up one. Throws `not-found` when the given-up job is no
    /// longer stored: another operator ran it again, or it was a week old.
    func requeue(_ id: Job.ID, _ handler: any JobHandler) async throws -> Requeued {
        let arguments: [SQLValue] = [.id(id.environmentID), .text(id.kind.rawValue), .text(id.key)]
        return try await requeue(
            "environment_id = ? AND kind = ? AND key = ?", arguments, handler, orElse: .jobNotKept)
    }

    /// The maximum number of given-up jobs that one call enqueues again; exceeded by no more than one batch.
    package static let maximumRequeued = 10_000

    /// Enqueues the given-up jobs of one kind again, the oldest first, until ``maximumRequeued`` is reached.
    func requeueAll(_ environmentID: EnvironmentID, _ handler: any JobHandler) async throws -> Requeued {
        let arguments: [SQLValue] = [
            .id(environmentID), .text(handler.kind.rawValue), .moment(now()),
        ]
        var sum = Requeued()
        while sum.count < Self.maximumRequeued {
            // The time excludes jobs that are given up again while this loop runs.
            let some = try await requeue(
                "environment_id = ? AND kind = ? AND given_up_at <= ?", arguments, handler)
            if some.count == 0 { break }
            sum += some
        }
        return sum
    }

    /// Enqueues up to 200 given-up jobs again. When there are none, throws `problem`, or nothing if that is `nil`.
    private func requeue(
        _ condition: String, _ arguments: [SQLValue], _ handler: any JobHandler,
        orElse problem: Problem? = nil
    ) async throws -> Requeued {
        let moment = now()
        let requeued = try await database.write { connection in
            // Of two concurrent calls, the second finds nothing. A job that waits under the same key is a newer one.
            let jobs = try connection.rows(
                """
                DELETE FROM given_up_jobs WHERE (environment_id, kind, key) IN (
                    SELECT environment_id, kind, key FROM given_up_jobs WHERE \(condition)
                    ORDER BY given_up_at LIMIT 200 FOR UPDATE SKIP LOCKED)
                RETURNING *, (SELECT COUNT(*) FROM jobs j WHERE j.environment_id = given_up_jobs.environment_id
                    AND j.kind = given_up_jobs.kind AND j.key = given_up_jobs.key) AS waiting
                """, arguments)
            if jobs.isEmpty, let problem { throw problem }
            // Sorted, so that handlers lock their rows in the same order as in `store`.
            let new = try jobs.filter { try $0.int("waiting") == 0 }.map(GivenUpJob.init)
                .sorted { $0.id.key < $1.id.key }
                .compactMap { try handler.requeued($0, at: moment, in: connection) }
            try Self.enqueue(new, in: connection)
            return Requeued(enqueued: new.count, obsolete: jobs.count - new.count)
        }
        if requeued.enqueued > 0 { wake() }
        return requeued
    }

    /// Removes a given-up job that is obsolete, within a transaction of the caller.
    package static func removeGivenUp(_ id: Job.ID, in connection: any SQLConnection) throws {
        try connection.execute(
            "DELETE FROM given_up_jobs WHERE environment_id = ? AND kind = ? AND key = ?",
            [.id(id.environmentID), .text(id.kind.rawValue), .text(id.key)])
    }

    /// Removes the given-up jobs that were stored for longer than ``givenUpRetention``.
    func removeOldGivenUp() async throws {
        try await database.delete(
            from: "given_up_jobs", key: "environment_id, kind, key", where: "given_up_at <= ?",
            [.moment(now() - Self.givenUpRetention)])
    }
}

extension Problem {
    fileprivate static let jobNotKept = Problem(
        .notFound, status: 404, title: "This job is not in the list any more.",
        detail: "It was run again, or it was a week old.")
}
