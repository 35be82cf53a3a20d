import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

extension CardsFeature: UserErasure {
    /// Erases the user's cards, feeds and actions, and removes the user from events that were sent to named users.
    package func erase(_ environmentID: EnvironmentID, user userID: UserID) async throws {
        let database = feeds.database
        try await CardAudience.erase(userID, environmentID, database)
        try await Self.eraseEvents(environmentID, userID, database)
        for (table, id) in [("card_actions", "action_id"), ("card_instances", "card_id")] {
            try await database.deleteRows(
                of: userID, environmentID, in: table, key: "environment_id, user_id, \(id)")
        }
        _ = try await database.write { connection in
            let feeds = try connection.rows(
                """
                DELETE FROM card_feeds WHERE environment_id = ? AND user_id = ?
                RETURNING environment_id, user_id, container_id
                """, [.id(environmentID), .id(userID)]
            ).map(FeedVersions.Feed.init)
            for feed in feeds { try CardFeedJobs.remove(feed, in: connection) }
        }
    }

    /// Removes a user from an environment's events.
    ///
    /// No index finds a user in the events, so they are searched in batches of `batchSize`: one statement over all of a
    /// large table would exceed the time limit of statements each time.
    static func eraseEvents(
        _ environmentID: EnvironmentID, _ userID: UserID, _ database: any SQLDatabase, batchSize: Int = 1_000
    ) async throws {
        // Sorts before every id.
        var end: CardEventID? = CardEventID("")
        while let start = end {
            try Task.checkCancellation()
            let found = try await events(naming: userID, environmentID, after: start, batchSize, database)
            for id in found.events {
                _ = try await database.write {
                    try erase(userID, from: environmentID, event: id, $0)
                }
            }
            end = found.end
        }
    }

    /// Returns those of the `batchSize` events after an id that name the user, and the last id of the batch: `nil` when
    /// there are no more events.
    private static func events(
        naming userID: UserID, _ environmentID: EnvironmentID, after id: CardEventID, _ batchSize: Int,
        _ database: any SQLDatabase
    ) async throws -> (events: [CardEventID], end: CardEventID?) {
        let batch = """
            SELECT event_id, position, request FROM card_events
            WHERE environment_id = ? AND event_id > ? ORDER BY event_id LIMIT ?
            """
        let batchArguments: [SQLValue] = [.id(environmentID), .id(id), .int(batchSize)]
        let userArguments: [SQLValue] = [.id(userID), .containing(try JSONColumn.text(userID))]
        return try await database.read { connection in
            let end = try connection.row(
                "SELECT MAX(event_id) AS event_id FROM (\(batch)) AS piece", batchArguments)
            let rows = try connection.rows(
                "SELECT event_id FROM (\(batch)) AS piece WHERE position = ? OR request LIKE ? ESCAPE '!'",
                batchArguments + userArguments)
            return (try rows.map { try $0.id("event_id") }, try end?.optionalID("event_id"))
        }
    }

    /// Deletes an event that was sent to this user alone, and removes the user from one that was sent to others too.
    ///
    /// Event ids are the senders' idempotency keys: a copy of a deleted event makes no card, and a copy of a changed
    /// one is a conflict.
    private static func erase(
        _ userID: UserID, from environmentID: EnvironmentID, event eventID: CardEventID,
        _ connection: any SQLConnection
    ) throws {
        let key: [SQLValue] = [.id(environmentID), .id(eventID)]
        let this = "WHERE environment_id = ? AND event_id = ?"
        while let row = try connection.row("SELECT request, plan FROM card_events \(this)", key) {
            let old = (request: try row.text("request"), plan: try row.text("plan"))
            guard let new = try without(userID, old.request, old.plan) else {
                for table in ["card_events", "card_audiences"] {
                    try connection.execute("DELETE FROM \(table) \(this)", key)
                }
                try CardEventService.removeJobs(environmentID, eventID, in: connection)
                return
            }
            // An unfinished event still needs its position, and another node may change it meanwhile. If another node
            // erased a user from the event after it was read, nothing is changed here, and the event is read again.
            let count = try connection.execute(
                """
                UPDATE card_events SET request = ?, plan = ?,
                    position = CASE WHEN is_done = 1 AND position = ? THEN '' ELSE position END
                \(this) AND request = ? AND plan = ?
                """,
                [.text(new.request), .text(new.plan), .id(userID)] + key
                    + [.text(old.request), .text(old.plan)])
            if count == 1 { return }
        }
    }

    /// Returns a request and its plan without the user; `nil` when the event was for this user alone.
    private static func without(
        _ userID: UserID, _ request: String, _ plan: String
    ) throws -> (request: String, plan: String)? {
        var request: CardEventRequest = try JSONColumn.value(request)
        var plan: CardPlan = try JSONColumn.value(plan)
        if case .users(let users) = request.target {
            let others = users.filter { $0 != userID }
            guard !others.isEmpty else { return nil }
            request.target = .users(others)
            if case .users(let listed) = plan.target {
                plan.target = .users(listed.filter { $0 != userID })
            }
        }
        return (try JSONColumn.text(request), try JSONColumn.text(plan))
    }
}
