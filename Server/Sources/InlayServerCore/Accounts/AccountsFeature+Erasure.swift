import InlaySQL

extension AccountsFeature: UserErasure {
    /// The profile and its fields. Whoever sends a request afterwards is made anew at once: on this node, that is; for
    /// another one they are known for up to an hour.
    package func erase(_ environmentID: EnvironmentID, user userID: UserID) async throws {
        _ = try await services.database.write { connection in
            for (table, column) in [("user_fields", "user_id"), ("users", "id")] {
                try connection.execute(
                    "DELETE FROM \(table) WHERE environment_id = ? AND \(column) = ?",
                    [.id(environmentID), .id(userID)])
            }
        }
        services.users.seen.forget(.init(environmentID: environmentID, userID: userID))
    }
}
