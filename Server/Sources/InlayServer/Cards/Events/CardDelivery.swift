import InlaySQL
import InlayWire

/// Puts an event's cards into feeds, a piece of the audience at a time.
struct CardDelivery {
    /// What one piece did.
    struct Piece: Sendable {
        let cards: Int
        let isLast: Bool
        let news: [LiveChange]
    }

    /// Users of one transaction: few enough that other writers wait only for milliseconds.
    static let pieceSize = 200

    let environmentID: String
    let eventID: String
    let plan: CardPlan
    let now: Timestamp
    let connection: any SQLConnection
    let segments: any UserSegments

    /// Delivers to the next users after `position`; `nil` when someone else did so meanwhile.
    func next(after position: String) throws -> Piece? {
        let users = try UserStore.ids(
            environmentID, plan.target, after: position, limit: Self.pieceSize, in: connection,
            segments: segments)
        let isLast = users.count < Self.pieceSize || plan.parts.isEmpty
        // Moving on first locks the event's row: of two nodes at the same place only one gets through.
        guard try move(from: position, to: users.last ?? position, isLast) else { return nil }
        if case .users = plan.target {
            try UserStore.ensure(environmentID, users, at: now, in: connection)
        }
        let news = try insert(users)
        let cards = users.count * plan.cardsPerUser
        try connection.execute(
            "UPDATE card_events SET cards = cards + ? WHERE environment_id = ? AND event_id = ?",
            [.int(cards), .text(environmentID), .text(eventID)])
        return Piece(cards: cards, isLast: isLast, news: news)
    }

    private func move(from position: String, to next: String, _ isLast: Bool) throws -> Bool {
        try connection.execute(
            """
            UPDATE card_events SET position = ?, is_done = ?, updated_at = ?
            WHERE environment_id = ? AND event_id = ? AND position = ? AND is_done = 0
            """,
            [
                .text(next), .bool(isLast), .moment(now), .text(environmentID), .text(eventID),
                .text(position),
            ]) == 1
    }

    private func insert(_ users: [String]) throws -> [LiveChange] {
        var feeds: [FeedVersions.Feed: Bool] = [:]
        for part in plan.parts {
            var made = 0
            for containerID in part.containerIDs {
                for group in SQLRows.groups(users) {
                    let rows = try upsert(group, part, containerID)
                    for row in rows {
                        let feed = FeedVersions.Feed(
                            environmentID: environmentID, userID: try row.text("user_id"),
                            containerID: containerID)
                        feeds[feed] = try feeds[feed] == true || row.text("status") == "active"
                        // A replaced card keeps its first event's moment; only new ones count as sent.
                        if try row.text("event_id") == row.text("made_by") { made += 1 }
                    }
                }
            }
            try CardNumbers.add(
                .sent, count: made, environmentID, templateID: part.templateID, at: now, in: connection)
        }
        return try FeedVersions.renew(feeds, in: connection)
    }

    private func upsert(
        _ users: ArraySlice<String>, _ part: CardPlan.Part, _ containerID: String
    ) throws -> [SQLRow] {
        let status: CardStatus = part.embargoUntil == nil ? .active : .embargoed
        let due = [part.embargoUntil, part.expiresAt].compactMap { $0 }.min()
        let common: [SQLValue] = [
            .text(containerID), .text(part.templateID), .integer(part.version), .text(eventID),
            .text(eventID),
            .text(plan.lifecycleID), .text(status.rawValue), .moment(now), .moment(now),
            .moment(part.embargoUntil ?? now), .moment(part.expiresAt), .moment(due), .text(part.payload),
        ]
        return try connection.rows(
            Self.upsertStatement(users.count),
            users.flatMap { user in
                [.text(environmentID), .text(user), .text(CardID.make(at: now))] + common
            })
    }

    /// An open card of the same user, template, lifecycle and container is replaced in place. It stays in
    /// the state it is in: a snoozed card stays snoozed, and one on screen is not hidden by an embargo.
    private static func upsertStatement(_ count: Int) -> String {
        """
        INSERT INTO card_instances (environment_id, user_id, card_id, container_id, template_id, layout_version,
            event_id, made_by, lifecycle_id, status, created_at, updated_at, active_at, expires_at, due_at,
            payload, is_open, is_seen)
        VALUES \(SQLRows.values("(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 0)", count))
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
