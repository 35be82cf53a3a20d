import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

extension HubContentStore {
    /// Returns the published versions of a source, the newest first: at most `limit`, and never more than 100.
    package func versions(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, limit: Int = 100
    ) async throws -> [HubVersion] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT version, content_version, summary, published_by, published_at FROM hub_versions
                WHERE environment_id = ? AND source_id = ? ORDER BY version DESC LIMIT ?
                """, [.id(environmentID), .id(sourceID), .int(min(limit, 100))]
            ).map { row in
                HubVersion(
                    version: try row.int64("version"), contentVersion: try row.int64("content_version"),
                    summary: try HubJSON.value(try row.text("summary")),
                    publishedBy: try row.text("published_by"), publishedAt: try row.moment("published_at"))
            }
        }
    }
}
