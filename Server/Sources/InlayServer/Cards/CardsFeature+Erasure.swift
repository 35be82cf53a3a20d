import InlaySQL
import InlayWire

extension CardsFeature: UserErasure {
    /// Cards, feeds, actions, and the user's name and values in events that were sent to named users.
    package func erase(_ environmentID: String, user userID: String) async throws {
        let database = feeds.database
        try await eraseEvents(environmentID, userID, database)
        for (table, key) in [("card_actions", "action_id"), ("card_instances", "card_id")] {
            try await database.deleteRows(of: userID, environmentID, in: table, key: key)
        }
        _ = try await database.write { connection in
            try connection.execute(
                "DELETE FROM card_feeds WHERE environment_id = ? AND user_id = ?",
                [.text(environmentID), .text(userID)])
        }
    }

    private func eraseEvents(
        _ environmentID: String, _ userID: String, _ database: any SQLDatabase
    ) async throws {
        let named = try await database.read { connection in
            try connection.rows(
                """
                SELECT event_id FROM card_events WHERE environment_id = ?
                    AND (position = ? OR request LIKE ? ESCAPE '!')
                """,
                [.text(environmentID), .text(userID), .containing(try CardJSON.text(userID))]
            ).map { try $0.text("event_id") }
        }
        for id in named {
            _ = try await database.write {
                try Self.erase(userID, fromEvent: [.text(environmentID), .text(id)], $0)
            }
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
                try connection.execute("DELETE FROM card_events \(this)", key)
                return
            }
            request.target = .users(others)
            plan.target = request.target
        }
        // The place that an unfinished event has reached is still needed; whoever comes next takes it further.
        let position =
            try row.text("position") == userID && row.bool("is_done") ? "" : try row.text("position")
        try connection.execute(
            "UPDATE card_events SET request = ?, plan = ?, position = ? \(this)",
            [.text(try CardJSON.text(request)), .text(try CardJSON.text(plan)), .text(position)] + key)
    }
}
