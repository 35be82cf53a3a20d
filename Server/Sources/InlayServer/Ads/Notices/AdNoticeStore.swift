import InlaySQL
import InlayWire

/// The outbox of notices: claimed by one node at a time, settled when the other side answered.
struct AdNoticeStore: Sendable {
    /// What one look at the outbox brought.
    struct Due: Sendable {
        /// For this node alone until the claim ends.
        var notices: [AdNotice] = []
        /// When the oldest is due of those for which there is room.
        var next: Timestamp?
    }

    /// A claim that is not settled in this time has died with its node, and the notice is due again. Three times
    /// as long as a call may last.
    static let claim: Duration = .seconds(30)
    private static let piece = 500

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Claims what is due and has room: the lane that has waited longest first, and no lane more than its part.
    func claimDue(_ slots: AdNoticeSlots, most: Int) async throws -> Due {
        guard slots.room > 0 else { return Due() }
        let moment = now()
        let (found, next) = try await database.read { connection in
            let lanes = try Self.lanes(connection).filter { slots.room(in: $0.name) > 0 }
            let due = lanes.filter { $0.next <= moment }.map(\.name)
            return (
                try Self.due(due, slots, most: most, at: moment, connection), lanes.first?.next
            )
        }
        guard !found.isEmpty else { return Due(next: next) }
        let notices = try await database.write { connection in
            try found.compactMap { environmentID, id, nextAt in
                try connection.row(
                    """
                    UPDATE ad_notices SET next_at = ?, tries = tries + 1
                    WHERE (environment_id, id) IN (SELECT environment_id, id FROM ad_notices
                        WHERE environment_id = ? AND id = ? AND next_at = ? FOR UPDATE SKIP LOCKED) RETURNING *
                    """,
                    [.moment(moment + Self.claim), .text(environmentID), .text(id), .integer(nextAt)]
                ).map(AdNotice.init)
            }
        }
        return Due(notices: notices, next: next)
    }

    /// Every lane with something that waits, by the time at which its first is due.
    ///
    /// From lane to lane through the index: who has a million waiting costs as little as who has one.
    private static func lanes(
        _ connection: any SQLConnection
    ) throws -> [(name: String, next: Timestamp)] {
        let rows = try connection.rows(
            """
            WITH RECURSIVE lanes (lane) AS (
                SELECT MIN(lane) FROM ad_notices WHERE next_at IS NOT NULL
                UNION ALL
                SELECT (SELECT MIN(n.lane) FROM ad_notices n WHERE n.next_at IS NOT NULL AND n.lane > lanes.lane)
                FROM lanes WHERE lanes.lane IS NOT NULL)
            SELECT lane, (SELECT MIN(n.next_at) FROM ad_notices n
                WHERE n.next_at IS NOT NULL AND n.lane = lanes.lane) AS next
            FROM lanes WHERE lane IS NOT NULL
            """)
        return try rows.map { (name: try $0.text("lane"), next: try $0.moment("next")) }
            .sorted { $0.next < $1.next }
    }

    private static func due(
        _ lanes: [String], _ slots: AdNoticeSlots, most: Int, at moment: Timestamp,
        _ connection: any SQLConnection
    ) throws -> [(String, String, Int64)] {
        var found: [(String, String, Int64)] = []
        let room = min(most, slots.room)
        for (index, lane) in lanes.enumerated() where found.count < room {
            let part = max(1, (room - found.count) / (lanes.count - index))
            let rows = try connection.rows(
                """
                SELECT environment_id, id, next_at FROM ad_notices
                WHERE lane = ? AND next_at <= ? AND next_at IS NOT NULL ORDER BY next_at LIMIT ?
                """, [.text(lane), .moment(moment), .int(min(part, slots.room(in: lane)))])
            found += try rows.map {
                (try $0.text("environment_id"), try $0.text("id"), try $0.int64("next_at"))
            }
        }
        return found
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
        case .later, .silent, .refused:
            if let then = next, then - notice.madeAt > notice.kind.life { (state, next) = (.failed, nil) }
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

    /// Gives up what has waited in its lane for longer than it lives; what is under way is left to its answer.
    ///
    /// A lane where nobody answers goes slower than it fills. Bills and rewards get their one try also when the
    /// server itself was away for a day.
    func giveUp() async throws {
        let moment = now()
        for kind in AdNotice.Kind.allCases {
            let isNews = kind == .nurl || kind == .lurl
            while try await giveUp(kind, evenUntried: isNews, at: moment) == Self.piece, !Task.isCancelled {}
        }
    }

    private func giveUp(_ kind: AdNotice.Kind, evenUntried: Bool, at moment: Timestamp) async throws -> Int {
        try await database.write { connection in
            let over = try connection.rows(
                """
                SELECT environment_id, id FROM ad_notices
                WHERE kind = ? AND made_at < ? AND next_at <= ? AND next_at IS NOT NULL AND tries >= ? LIMIT ?
                """,
                [
                    .text(kind.rawValue), .moment(moment + (.zero - kind.life)), .moment(moment),
                    .int(evenUntried ? 0 : 1), .int(Self.piece),
                ])
            for row in over {
                try connection.execute(
                    """
                    UPDATE ad_notices SET state = 'failed', next_at = NULL, settled_at = ?, device_ip = '',
                        user_agent = '', last_answer = COALESCE(last_answer, 'its turn never came')
                    WHERE environment_id = ? AND id = ? AND next_at <= ?
                    """,
                    [
                        .moment(moment), .text(try row.text("environment_id")), .text(try row.text("id")),
                        .moment(moment),
                    ])
            }
            return over.count
        }
    }
}
