import InlaySQL

extension AccountsFeature: UserErasure {
    /// Removes the profile and its fields. A user who sends a request afterwards is created again: at once on this
    /// node, after up to an hour on another, which still remembers the user.
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
