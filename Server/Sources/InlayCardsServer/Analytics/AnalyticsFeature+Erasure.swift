import InlaySQL
package import InlayServerCore

extension AnalyticsFeature: UserErasure {
    /// Erases the events that the user's devices sent; the sums of each day stay.
    package func erase(_ environmentID: EnvironmentID, user userID: UserID) async throws {
        try await store.database.deleteRows(
            of: userID, environmentID, in: "analytics_events", key: "environment_id, event_id")
    }
}
