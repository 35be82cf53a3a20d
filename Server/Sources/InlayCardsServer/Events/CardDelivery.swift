import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A delivery of an event's cards into feeds, a piece of the audience at a time.
struct CardDelivery {
    /// The result of one piece.
    struct Piece: Sendable {
        let isLast: Bool
        /// Whether the piece made cards that change by themselves at a time.
        let hasDueTime: Bool
        let changes: [LiveChange]
    }

    let environmentID: EnvironmentID
    let eventID: CardEventID
    let now: Timestamp
    let connection: any SQLConnection

    /// Delivers to the next users; returns `nil` when there is nothing left to do, or another node has locked the
    /// event.
    ///
    /// The first statement locks the event's row until the commit. A second node skips a locked row, even when it has
    /// taken over the job: once the first node has ended, its piece was rolled back.
    func next() throws -> Piece? {
        let row = try connection.row(
            """
            SELECT plan, position FROM card_events
            WHERE environment_id = ? AND event_id = ? AND is_done = 0 AND is_listed = 1 FOR UPDATE SKIP LOCKED
            """, [.id(environmentID), .id(eventID)])
        guard let row else { return nil }
        let plan: CardPlan = try JSONColumn.value(try row.text("plan"))
        let position: UserID = try row.id("position")
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

    /// Delivers to these users, in order of their ids, and stores the event's new position.
    func deliver(_ plan: CardPlan, to users: [UserID], position: UserID, isLast: Bool) throws -> Piece {
        if case .users = plan.target {
            try UserStore.ensure(environmentID, users, at: now, in: connection)
        }
        let changes = try insert(users, plan)
        try connection.execute(
            """
            UPDATE card_events SET position = ?, cards = cards + ?, is_done = ?, failure = NULL, updated_at = ?
            WHERE environment_id = ? AND event_id = ?
            """,
            [
                .id(position), .int(users.count * plan.cardsPerUser), .bool(isLast), .moment(now),
                .id(environmentID), .id(eventID),
            ])
        return Piece(isLast: isLast, hasDueTime: plan.hasDueTime && !users.isEmpty, changes: changes)
    }

    private func insert(_ users: [UserID], _ plan: CardPlan) throws -> [LiveChange] {
        guard !users.isEmpty else { return [] }
        var feeds: [FeedVersions.Feed: Bool] = [:]
        var sent: [CardTemplateID: Int] = [:]
        for part in plan.parts {
            for containerID in part.containerIDs {
                for row in try upsert(users, plan, part, containerID) {
                    let feed = FeedVersions.Feed(
                        environmentID: environmentID, userID: try row.id("user_id"),
                        containerID: containerID)
                    feeds[feed] = try feeds[feed] == true || row.text("status") == "active"
                    // A replaced card keeps its first event in `made_by`; only new cards count as sent.
                    if try row.text("event_id") == row.text("made_by") {
                        sent[part.templateID, default: 0] += 1
                    }
                }
            }
        }
        let changes = try FeedVersions.update(feeds, in: connection)
        for (templateID, count) in sent.sorted(by: { $0.key < $1.key }) {
            try CardCounters.add(
                .sent, count: count, environmentID, templateID: templateID, at: now, in: connection)
        }
        return changes
    }

    private func upsert(
        _ users: [UserID], _ plan: CardPlan, _ part: CardPlan.Part, _ containerID: CardContainerID
    ) throws -> [SQLRow] {
        let status: CardStatus = part.embargoUntil == nil ? .active : .embargoed
        let due = [part.embargoUntil, part.expiresAt].compactMap { $0 }.min()
        let rows = SQLRows.padded(users.map { [.id($0), .text(UUIDv7.make(at: now))] })
        let card: NamedValues = [
            "environment_id": .id(environmentID), "container_id": .id(containerID),
            "template_id": .id(part.templateID), "layout_version": .integer(part.version),
            "event_id": .id(eventID), "made_by": .id(eventID), "lifecycle_id": .id(plan.lifecycleID),
            "status": .text(status.rawValue), "created_at": .moment(now), "updated_at": .moment(now),
            "active_at": .moment(part.embargoUntil ?? now), "expires_at": .moment(part.expiresAt),
            "due_at": .moment(due), "payload": .text(part.payload),
        ]
        return try connection.rows(
            Self.upsertStatement(rows.count, card.names), rows.values + card.values)
    }

    /// Returns the statement that inserts cards. An open card of the same user, template, lifecycle and container is
    /// replaced in place and keeps its status: a snoozed card stays snoozed, and an embargo does not hide an active
    /// card.
    private static func upsertStatement(_ count: Int, _ columns: [String]) -> String {
        // PostgreSQL cannot infer the type of a `NULL` argument here.
        let values = columns.map { ["expires_at", "due_at"].contains($0) ? "CAST(? AS BIGINT)" : "?" }
        return """
            WITH \(SQLRows.table("w", ["user_id", "card_id"], count))
            INSERT INTO card_instances (user_id, card_id, is_open, is_seen, \(columns.joined(separator: ", ")))
            SELECT w.user_id, w.card_id, 1, 0, \(values.joined(separator: ", ")) FROM w WHERE w.user_id <> ''
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
