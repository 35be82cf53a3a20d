import InlaySQL

extension AccountsFeature: UserErasure {
    /// The profile and its fields.
    package func erase(_ environmentID: String, user userID: String) async throws {
        _ = try await services.database.write { connection in
            for (table, column) in [("user_fields", "user_id"), ("users", "id")] {
                try connection.execute(
                    "DELETE FROM \(table) WHERE environment_id = ? AND \(column) = ?",
                    [.text(environmentID), .text(userID)])
            }
        }
    }
}
