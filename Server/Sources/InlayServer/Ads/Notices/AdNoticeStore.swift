import InlaySQL
import InlayWire

/// The outbox of notices: claimed by one node at a time, settled when the other side answered.
struct AdNoticeStore: Sendable {
    /// A claim that is not settled in this time has died with its node, and the notice is due again.
    static let claim: Duration = .seconds(30)
    /// What is not acknowledged a day after it was made is given up and shown as failed.
    static let life: Duration = .seconds(86_400)

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Notices that are due, for this node alone until the claim ends; and when the next is due.
    func claimDue(limit: Int) async throws -> [AdNotice] {
        let moment = now()
        let due = try await database.read { connection in
            try connection.rows(
                """
                SELECT environment_id, id, next_at FROM ad_notices
                WHERE next_at <= ? AND next_at IS NOT NULL ORDER BY next_at LIMIT ?
                """, [.moment(moment), .int(limit)]
            ).map { (try $0.text("environment_id"), try $0.text("id"), try $0.int64("next_at")) }
        }
        guard !due.isEmpty else { return [] }
        return try await database.write { connection in
            try due.compactMap { environmentID, id, nextAt in
                try connection.row(
                    """
                    UPDATE ad_notices SET next_at = ?, tries = tries + 1
                    WHERE environment_id = ? AND id = ? AND next_at = ? RETURNING *
                    """,
                    [.moment(moment + Self.claim), .text(environmentID), .text(id), .integer(nextAt)]
                ).map(AdNotice.init)
            }
        }
    }

    /// When the next one is due, or `nil`.
    func nextDue() async throws -> Timestamp? {
        try await database.read {
            try $0.row("SELECT MIN(next_at) AS next FROM ad_notices WHERE next_at IS NOT NULL")?
                .optionalMoment("next")
        }
    }

    /// Writes what became of notices, in one transaction.
    func settle(_ results: [(AdNotice, AdNoticeAnswer)]) async throws {
        let moment = now()
        try await database.write { connection in
            for (notice, answer) in results {
                try Self.settle(notice, answer, at: moment, connection)
            }
        }
    }

    private static func settle(
        _ notice: AdNotice, _ answer: AdNoticeAnswer, at moment: Timestamp, _ connection: any SQLConnection
    ) throws {
        var next: Timestamp? = moment + AdNoticeAnswer.pause(afterTry: notice.tries)
        var state = AdNotice.State.waiting
        switch answer {
        case .acknowledged: (state, next) = (.acknowledged, nil)
        case .impossible: (state, next) = (.failed, nil)
        case .later: if let then = next, then - notice.madeAt > life { (state, next) = (.failed, nil) }
        }
        // Whom it was about is nobody's business once it is told.
        let forgets = state == .waiting ? "" : ", device_ip = '', user_agent = ''"
        try connection.execute(
            """
            UPDATE ad_notices SET state = ?, next_at = ?, last_answer = ?, settled_at = ?\(forgets)
            WHERE environment_id = ? AND id = ? AND state = 'waiting'
            """,
            [
                .text(state.rawValue), .moment(next), .text(String(answer.words.prefix(200))),
                .moment(state == .waiting ? nil : moment), .text(notice.environmentID), .text(notice.id),
            ])
    }
}

/// What came of one try to tell.
enum AdNoticeAnswer: Hashable, Sendable {
    /// A 2xx.
    case acknowledged(Int)
    /// No answer, or another status; the words are for people.
    case later(String)
    /// The address may not be called.
    case impossible(String)

    var words: String {
        switch self {
        case .acknowledged(let status): "\(status)"
        case .later(let words), .impossible(let words): words
        }
    }

    /// Every ten seconds in the first minute, as billing notices want it; then longer and longer.
    static func pause(afterTry tries: Int) -> Duration {
        tries <= 6 ? .seconds(10) : .seconds(min(3_600, 60 << min(tries - 7, 10)))
    }
}
