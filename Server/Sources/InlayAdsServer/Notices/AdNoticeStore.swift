import InlayOpenRTB
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The store of notices and of the outcomes of their delivery. Each has a job in the queue until it is settled.
struct AdNoticeStore: Sendable {
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Returns the waiting notices of jobs.
    func notices(_ jobs: [Job]) async throws -> [Job.ID: AdNotice] {
        guard !jobs.isEmpty else { return [:] }
        let rows = SQLRows.padded(jobs.map { [.text($0.key), .id($0.environmentID)] })
        let found = try await database.read {
            try $0.rows(
                """
                WITH \(SQLRows.table("w", ["id", "environment_id"], rows.count))
                SELECT n.* FROM w JOIN ad_notices n ON n.environment_id = w.environment_id AND n.id = w.id
                WHERE n.state = 'waiting'
                """, rows.values
            ).map(AdNotice.init)
        }
        return Dictionary(found.map { ($0.jobID, $0) }) { first, _ in first }
    }

    /// Writes the result of a notice's job into its record.
    static func record(
        _ result: JobResult, of job: Job, at moment: Timestamp, in connection: any SQLConnection
    ) throws {
        switch result {
        case .done(let answer): try record(.acknowledged, answer, job, at: moment, in: connection)
        case .retry(_, let answer): try record(.waiting, answer, job, at: moment, in: connection)
        case .failed(let answer): try record(.failed, answer, job, at: moment, in: connection)
        case .again, .released: break
        }
    }

    /// Sets a failed notice back to waiting and returns it; `nil` when it is gone or has not failed.
    static func reopen(_ id: Job.ID, in connection: any SQLConnection) throws -> AdNotice? {
        try connection.row(
            """
            UPDATE ad_notices SET state = ?, tries = 0, settled_at = NULL
            WHERE environment_id = ? AND id = ? AND state = ? RETURNING *
            """,
            [
                .text(AdNotice.State.waiting.rawValue), .id(id.environmentID), .text(id.key),
                .text(AdNotice.State.failed.rawValue),
            ]
        ).map(AdNotice.init)
    }

    private static func record(
        _ state: AdNotice.State, _ answer: String?, _ job: Job, at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        // The data of the device is removed once the notice is settled.
        let forgets = state == .waiting ? "" : ", device_ip = '', user_agent = ''"
        try connection.execute(
            """
            UPDATE ad_notices SET state = ?, tries = ?, settled_at = ?,
                last_answer = COALESCE(CAST(? AS TEXT), last_answer, 'its turn never came')\(forgets)
            WHERE environment_id = ? AND id = ? AND state = 'waiting'
            """,
            [
                .text(state.rawValue), .int(job.attempts), .moment(state == .waiting ? nil : moment),
                SQLValue(answer.map { $0.prefix(scalars: 200) }), .id(job.environmentID), .text(job.key),
            ])
    }
}
