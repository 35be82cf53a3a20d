import InlaySQL

extension AnalyticsFeature: UserErasure {
    /// What the user's devices counted; the sums of each day stay.
    package func erase(_ environmentID: String, user userID: String) async throws {
        try await store.database.deleteRows(
            of: userID, environmentID, in: "analytics_events", key: "environment_id, event_id")
    }
}
