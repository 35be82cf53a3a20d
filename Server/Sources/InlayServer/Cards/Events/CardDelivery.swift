import InlaySQL
import InlayWire

/// Puts an event's cards into feeds, a piece of the audience at a time.
struct CardDelivery {
    /// What one piece did.
    struct Piece: Sendable {
        let isLast: Bool
        /// Whether it made cards that the clock must look at.
        let isTimed: Bool
        let news: [LiveChange]
    }

    let environmentID: String
    let eventID: String
    let now: Timestamp
    let connection: any SQLConnection

    /// Delivers to the next users; `nil` when there is nothing left to do, or another node is at the event.
    ///
    /// The first statement locks the event's row until the commit. A second node passes it by and has its turn between
    /// two pieces, or when the first node has ended and its piece was rolled back.
    func next() throws -> Piece? {
        let row = try connection.row(
            """
            UPDATE card_events SET next_at = ?
            WHERE environment_id = ? AND event_id IN (
                SELECT event_id FROM card_events
                WHERE environment_id = ? AND event_id = ? AND is_done = 0 AND is_listed = 1 FOR UPDATE SKIP LOCKED)
            RETURNING plan, position
            """, [.moment(now), .text(environmentID), .text(environmentID), .text(eventID)])
        guard let row else { return nil }
        let plan: CardPlan = try CardJSON.value(try row.text("plan"))
        let position = try row.text("position")
        switch plan.target {
        case .all, .profile:
            let users = try UserStore.ids(
                environmentID, plan.target, after: position, limit: CardAudience.pieceSize, in: connection)
            return try deliver(
                plan, to: users, position: users.last ?? position,
                isLast: users.count < CardAudience.pieceSize || plan.parts.isEmpty)
        case .users, .segment:
            let piece = try CardAudience(
                environmentID: environmentID, eventID: eventID, connection: connection
            ).take()
            return try deliver(plan, to: piece.users, position: position, isLast: piece.isLast)
        }
    }

    /// Delivers to these users, in order of their ids, and stores that the event has come so far.
    func deliver(_ plan: CardPlan, to users: [String], position: String, isLast: Bool) throws -> Piece {
        if case .users = plan.target {
            try UserStore.ensure(environmentID, users, at: now, in: connection)
        }
        let news = try insert(users, plan)
        try connection.execute(
            """
            UPDATE card_events SET position = ?, cards = cards + ?, is_done = ?, failures = 0, failure = NULL,
                updated_at = ?
            WHERE environment_id = ? AND event_id = ?
            """,
            [
                .text(position), .int(users.count * plan.cardsPerUser), .bool(isLast), .moment(now),
                .text(environmentID), .text(eventID),
            ])
        return Piece(isLast: isLast, isTimed: plan.isTimed && !users.isEmpty, news: news)
    }

    private func insert(_ users: [String], _ plan: CardPlan) throws -> [LiveChange] {
        guard !users.isEmpty else { return [] }
        var feeds: [FeedVersions.Feed: Bool] = [:]
        var sent: [String: Int] = [:]
        for part in plan.parts {
            for containerID in part.containerIDs {
                for row in try upsert(users, plan, part, containerID) {
                    let feed = FeedVersions.Feed(
                        environmentID: environmentID, userID: try row.text("user_id"),
                        containerID: containerID)
                    feeds[feed] = try feeds[feed] == true || row.text("status") == "active"
                    // A replaced card keeps its first event's moment; only new ones count as sent.
                    if try row.text("event_id") == row.text("made_by") {
                        sent[part.templateID, default: 0] += 1
                    }
                }
            }
        }
        let news = try FeedVersions.renew(feeds, in: connection)
        for (templateID, count) in sent.sorted(by: { $0.key < $1.key }) {
            try CardNumbers.add(
                .sent, count: count, environmentID, templateID: templateID, at: now, in: connection)
        }
        return news
    }

    private func upsert(
        _ users: [String], _ plan: CardPlan, _ part: CardPlan.Part, _ containerID: String
    ) throws -> [SQLRow] {
        let status: CardStatus = part.embargoUntil == nil ? .active : .embargoed
        let due = [part.embargoUntil, part.expiresAt].compactMap { $0 }.min()
        let rows = SQLRows.padded(users.map { [.text($0), .text(CardID.make(at: now))] })
        return try connection.rows(
            Self.upsertStatement(rows.count),
            rows.values + [
                .text(environmentID), .text(containerID), .text(part.templateID), .integer(part.version),
                .text(eventID), .text(eventID), .text(plan.lifecycleID), .text(status.rawValue),
                .moment(now), .moment(now), .moment(part.embargoUntil ?? now), .moment(part.expiresAt),
                .moment(due), .text(part.payload),
            ])
    }

    /// An open card of the same user, template, lifecycle and container is replaced in place. It stays in
    /// the state it is in: a snoozed card stays snoozed, and one on screen is not hidden by an embargo.
    private static func upsertStatement(_ count: Int) -> String {
        """
        WITH \(SQLRows.table("w", ["user_id", "card_id"], count))
        INSERT INTO card_instances (environment_id, user_id, card_id, container_id, template_id, layout_version,
            event_id, made_by, lifecycle_id, status, created_at, updated_at, active_at, expires_at, due_at,
            payload, is_open, is_seen)
        SELECT ?, w.user_id, w.card_id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS BIGINT), CAST(? AS BIGINT), ?, 1, 0
        FROM w WHERE w.user_id <> ''
        ON CONFLICT (environment_id, user_id, template_id, lifecycle_id, container_id) WHERE is_open = 1
        DO UPDATE SET layout_version = excluded.layout_version, event_id = excluded.event_id,
            updated_at = excluded.updated_at, expires_at = excluded.expires_at, payload = excluded.payload,
            active_at = CASE WHEN card_instances.status = 'embargoed'
                THEN excluded.active_at ELSE card_instances.active_at END,
            status = CASE WHEN card_instances.status = 'embargoed'
                THEN excluded.status ELSE card_instances.status END,
            due_at = CASE
                WHEN card_instances.status = 'embargoed' THEN excluded.due_at
                WHEN card_instances.status = 'snoozed' AND
                    (excluded.expires_at IS NULL OR card_instances.snoozed_until < excluded.expires_at)
                    THEN card_instances.snoozed_until
                ELSE excluded.expires_at END
        RETURNING user_id, status, event_id, made_by
        """
    }
}
