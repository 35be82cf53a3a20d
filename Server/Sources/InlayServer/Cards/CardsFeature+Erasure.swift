import InlaySQL
import InlayWire

extension CardsFeature: UserErasure {
    /// Cards, feeds, actions, and the user's name and values in events that were sent to named users.
    package func erase(_ environmentID: String, user userID: String) async throws {
        let database = feeds.database
        _ = try await database.write { try CardAudience.erase(userID, environmentID, in: $0) }
        try await eraseEvents(environmentID, userID, database)
        for (table, id) in [("card_actions", "action_id"), ("card_instances", "card_id")] {
            try await database.deleteRows(
                of: userID, environmentID, in: table, key: "environment_id, user_id, \(id)")
        }
        _ = try await database.write { connection in
            try connection.execute(
                "DELETE FROM card_feeds WHERE environment_id = ? AND user_id = ?",
                [.text(environmentID), .text(userID)])
        }
    }

    /// No index finds a user in the events, so they are looked through in pieces: one statement for all of a large table
    /// comes to its limit each time.
    func eraseEvents(
        _ environmentID: String, _ userID: String, _ database: any SQLDatabase, piece: Int = 1_000
    ) async throws {
        var end: String? = ""
        while let start = end {
            try Task.checkCancellation()
            let found = try await Self.events(naming: userID, environmentID, after: start, piece, database)
            for id in found.events {
                _ = try await database.write {
                    try Self.erase(userID, fromEvent: [.text(environmentID), .text(id)], $0)
                }
            }
            end = found.end
        }
    }

    /// Those of so many events behind an id that name the user, and where these many end: `nil` when there are none.
    private static func events(
        naming userID: String, _ environmentID: String, after id: String, _ piece: Int,
        _ database: any SQLDatabase
    ) async throws -> (events: [String], end: String?) {
        let look = """
            SELECT event_id, position, request FROM card_events
            WHERE environment_id = ? AND event_id > ? ORDER BY event_id LIMIT ?
            """
        let place: [SQLValue] = [.text(environmentID), .text(id), .int(piece)]
        let name: [SQLValue] = [.text(userID), .containing(try CardJSON.text(userID))]
        return try await database.read { connection in
            let end = try connection.row("SELECT MAX(event_id) AS event_id FROM (\(look)) AS piece", place)
            let rows = try connection.rows(
                "SELECT event_id FROM (\(look)) AS piece WHERE position = ? OR request LIKE ? ESCAPE '!'",
                place + name)
            return (try rows.map { try $0.text("event_id") }, try end?.optionalText("event_id"))
        }
    }

    /// An event for this user alone goes; one for others too forgets the name. The ids of both were the senders' keys
    /// against copies: a copy of the first makes a card for nobody, one of the second is a conflict.
    private static func erase(
        _ userID: String, fromEvent key: [SQLValue], _ connection: any SQLConnection
    ) throws {
        let this = "WHERE environment_id = ? AND event_id = ?"
        guard let row = try connection.row("SELECT * FROM card_events \(this)", key) else { return }
        var request: CardEventRequest = try CardJSON.value(try row.text("request"))
        var plan: CardPlan = try CardJSON.value(try row.text("plan"))
        if case .users(let users) = request.target {
            let others = users.filter { $0 != userID }
            if others.isEmpty {
                for table in ["card_events", "card_audiences"] {
                    try connection.execute("DELETE FROM \(table) \(this)", key)
                }
                return
            }
            request.target = .users(others)
            if case .users(let listed) = plan.target {
                plan.target = .users(listed.filter { $0 != userID })
            }
        }
        // The place that an unfinished event has reached is still needed; whoever comes next takes it further.
        let position =
            try row.text("position") == userID && row.bool("is_done") ? "" : try row.text("position")
        try connection.execute(
            "UPDATE card_events SET request = ?, plan = ?, position = ? \(this)",
            [.text(try CardJSON.text(request)), .text(try CardJSON.text(plan)), .text(position)] + key)
    }
}
