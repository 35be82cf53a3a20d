import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A cancellation of the open cards of a lifecycle id, which runs for a piece of the users at a time.
struct CardCancellation {
    /// The result of one piece. `position` is the user after which the next piece begins; `nil` when there is none.
    struct Piece: Sendable {
        let cards: Int
        let position: UserID?
        let changes: [LiveChange]
    }

    /// Members of the segment that the request names: all whose ids are after `after`, up to `last`.
    struct Members: Sendable {
        let users: Set<UserID>
        let after: UserID
        let last: UserID
    }

    private static let pieceSize = SQLRows.maximumRows

    let environmentID: EnvironmentID
    let request: CardCancelRequest
    /// The users to which the cancellation is limited; `nil` when the request names no segment.
    var members: Members?
    let now: Timestamp
    let connection: any SQLConnection

    /// Ends the unfinished deliveries that the request cancels as a whole, also given-up ones that an operator could
    /// requeue.
    ///
    /// The statement waits for a piece that is being delivered, so that its cards can be cancelled afterwards.
    func endDeliveries() throws {
        let eventIDs = try unfinished()
        for eventID in eventIDs {
            try connection.execute(
                """
                UPDATE card_events SET is_done = 1, is_cancelled = 1, claim = NULL, erased_user_ids = '',
                    updated_at = ?
                WHERE environment_id = ? AND event_id = ? AND is_cancelled = 0 AND (is_done = 0 OR is_listed = 0)
                """, [.moment(now), .id(environmentID), .id(eventID)])
        }
        // All events are locked before the first job, as in `JobQueue.store`.
        for eventID in eventIDs {
            try CardEventService.removeJobs(environmentID, eventID, in: connection)
            try CardAudience(
                environmentID: environmentID, eventID: eventID, connection: connection
            ).clear()
        }
    }

    /// Returns the unfinished and given-up events that the request cancels as a whole, in the order in which
    /// `JobQueue.store` locks them.
    private func unfinished() throws -> [CardEventID] {
        // Many events can wait, each with up to 10,000 users: only those with the lifecycle id are read. Done events
        // are kept too, and the text of their plans is not searched unless they were given up.
        let part = "\"lifecycleID\":" + (try JSONColumn.text(request.lifecycleID))
        return try connection.rows(
            """
            SELECT event_id, plan, request FROM (
                SELECT event_id, plan, request FROM card_events WHERE environment_id = ? AND is_done = 0
                UNION ALL SELECT event_id, plan, request FROM card_events
                WHERE environment_id = ? AND is_done = 1
                    AND event_id IN (SELECT key FROM given_up_jobs WHERE environment_id = ? AND kind = ?)
            ) AS unfinished WHERE plan LIKE ? ESCAPE '!'
            """,
            [
                .id(environmentID), .id(environmentID), .id(environmentID),
                .text(CardAudienceJobs.kind.rawValue), .containing(part),
            ]
        ).filter { row in
            let plan: CardPlan = try JSONColumn.value(try row.text("plan"))
            guard plan.lifecycleID == request.lifecycleID else { return false }
            guard let target = request.target, target != .all else { return true }
            let sent: CardEventRequest = try JSONColumn.value(try row.text("request"))
            return target == sent.target
        }.map { try $0.id("event_id") }.sorted()
    }

    /// Cancels the cards of the next piece of users.
    func next(after position: UserID) throws -> Piece {
        let users = try users(after: position)
        var feeds: [FeedVersions.Feed: Bool] = [:]
        var cards = 0
        for row in try cancel(users.filter { members?.users.contains($0) ?? true }) {
            let feed = FeedVersions.Feed(
                environmentID: environmentID, userID: try row.id("user_id"),
                containerID: try row.id("container_id"))
            // The cancellation of a hidden card changes nothing that is visible.
            feeds[feed] = try feeds[feed] == true || row.optionalText("closed_by") == "active"
            cards += 1
        }
        let changes = try FeedVersions.update(feeds, in: connection)
        return Piece(
            cards: cards, position: users.count < Self.pieceSize ? nil : users.last, changes: changes)
    }

    private func users(after position: UserID) throws -> [UserID] {
        if let target = request.target, target != .all, members == nil {
            return try UserStore.ids(
                environmentID, target, after: position, limit: Self.pieceSize, in: connection)
        }
        return try connection.rows(
            """
            SELECT DISTINCT user_id FROM card_instances
            WHERE environment_id = ? AND lifecycle_id = ? AND is_open = 1 AND user_id > ?
                \(members == nil ? "" : "AND user_id <= ?") ORDER BY user_id LIMIT ?
            """,
            [.id(environmentID), .id(request.lifecycleID), .id(position)]
                + (members.map { [.id($0.last)] } ?? []) + [.int(Self.pieceSize)]
        ).map { try $0.id("user_id") }
    }

    // `closed_by` stores the status that a card had before: `RETURNING` gives only new values.
    private func cancel(_ users: [UserID]) throws -> [SQLRow] {
        guard !users.isEmpty else { return [] }
        let rows = SQLRows.padded(users.map { [.id($0)] })
        return try connection.rows(
            """
            WITH \(SQLRows.table("w", ["user_id"], rows.count))
            UPDATE card_instances SET closed_by = status, status = 'cancelled', is_open = 0, due_at = NULL,
                updated_at = ?
            WHERE environment_id = ? AND lifecycle_id = ? AND user_id IN (SELECT w.user_id FROM w) AND is_open = 1
            RETURNING user_id, container_id, closed_by
            """, rows.values + [.moment(now), .id(environmentID), .id(request.lifecycleID)])
    }
}
