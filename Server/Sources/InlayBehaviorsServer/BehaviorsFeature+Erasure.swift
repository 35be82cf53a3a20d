import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

extension BehaviorsFeature: UserErasure {
    /// Deletes the user's events and refusals, the contacts bound to the user, and the stored XMLAPI responses to
    /// the user's app.
    package func erase(_ environmentID: EnvironmentID, user userID: UserID) async throws {
        let database = events.database
        for table in ["behavior_events", "behavior_refusals"] {
            try await database.deleteRows(of: userID, environmentID, scanning: table)
        }
        let sender = BehaviorCaller(environmentID: environmentID, userID: userID).senderID
        let moment = events.now()
        _ = try await database.write { connection in
            try ContactTransaction(environmentID: environmentID, now: moment, connection: connection)
                .remove(contactsOf: userID)
            try connection.execute(
                "DELETE FROM xmlapi_answers WHERE environment_id = ? AND sender_id = ?",
                [.id(environmentID), .text(sender)])
        }
    }
}

extension ContactTransaction {
    /// Removes the contacts that are bound to a user.
    fileprivate func remove(contactsOf userID: UserID) throws {
        let rows = try connection.rows(
            "SELECT id, list_id FROM recipients WHERE environment_id = ? AND user_id = ?",
            [.id(environmentID), .id(userID)])
        for row in rows {
            guard let list = try list(try row.int64("list_id")) else { continue }
            try remove(try row.int64("id"), from: list)
        }
    }
}
