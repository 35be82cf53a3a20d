import InlaySQL
import InlayWire

/// Takes back the open cards of a lifecycle id, a piece of the users at a time.
struct CardCancellation {
    /// What one piece did, and after which user the next begins; `nil` when there is none.
    struct Piece: Sendable {
        let cards: Int
        let position: String?
        let news: [LiveChange]
    }

    /// Some users of the segment that the request names: all who are in it behind one user, to the last of them.
    struct Members: Sendable {
        let users: Set<String>
        let after: String
        let last: String
    }

    private static let pieceSize = SQLRows.maximumRows

    let environmentID: String
    let request: CardCancelRequest
    /// Those to whom this is limited; `nil` when the request names no segment.
    var members: Members?
    let now: Timestamp
    let connection: any SQLConnection

    /// Ends the unfinished deliveries that the request takes back as a whole.
    ///
    /// A piece under way is waited for, so that its cards are there to be taken back.
    func endDeliveries() throws {
        let unfinished = try connection.rows(
            "SELECT event_id, plan, request FROM card_events WHERE environment_id = ? AND is_done = 0 ORDER BY event_id",
            [.text(environmentID)])
        for row in unfinished {
            let plan: CardPlan = try CardJSON.value(try row.text("plan"))
            guard plan.lifecycleID == request.lifecycleID else { continue }
            if let target = request.target, target != .all {
                let sent: CardEventRequest = try CardJSON.value(try row.text("request"))
                guard target == sent.target else { continue }
            }
            let eventID = try row.text("event_id")
            try connection.execute(
                """
                UPDATE card_events SET is_done = 1, is_cancelled = 1, claim = NULL, erased_user_ids = '',
                    updated_at = ?
                WHERE environment_id = ? AND event_id = ? AND is_done = 0
                """, [.moment(now), .text(environmentID), .text(eventID)])
            try CardAudience(
                environmentID: environmentID, eventID: eventID, connection: connection
            ).clear()
        }
    }

    func next(after position: String) throws -> Piece {
        let users = try users(after: position)
        var feeds: [FeedVersions.Feed: Bool] = [:]
        var cards = 0
        for row in try cancel(users.filter { members?.users.contains($0) ?? true }) {
            let feed = FeedVersions.Feed(
                environmentID: environmentID, userID: try row.text("user_id"),
                containerID: try row.text("container_id"))
            // What was hidden goes away without anyone seeing a change.
            feeds[feed] = try feeds[feed] == true || row.optionalText("closed_by") == "active"
            cards += 1
        }
        let news = try FeedVersions.renew(feeds, in: connection)
        return Piece(cards: cards, position: users.count < Self.pieceSize ? nil : users.last, news: news)
    }

    private func users(after position: String) throws -> [String] {
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
            [.text(environmentID), .text(request.lifecycleID), .text(position)]
                + (members.map { [.text($0.last)] } ?? []) + [.int(Self.pieceSize)]
        ).map { try $0.text("user_id") }
    }

    // The state a card was in is kept as what it was closed from: `RETURNING` gives only new values.
    private func cancel(_ users: [String]) throws -> [SQLRow] {
        guard !users.isEmpty else { return [] }
        let rows = SQLRows.padded(users.map { [.text($0)] })
        return try connection.rows(
            """
            WITH \(SQLRows.table("w", ["user_id"], rows.count))
            UPDATE card_instances SET closed_by = status, status = 'cancelled', is_open = 0, due_at = NULL,
                updated_at = ?
            WHERE environment_id = ? AND lifecycle_id = ? AND user_id IN (SELECT w.user_id FROM w) AND is_open = 1
            RETURNING user_id, container_id, closed_by
            """, rows.values + [.moment(now), .text(environmentID), .text(request.lifecycleID)])
    }
}
