import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The removal of files and metadata that no device can still be fetching.
///
/// Versions stay in the history. Their files and metadata are removed a day after a newer version was published.
struct HubPruning: Sendable {
    let database: any SQLDatabase
    let now: Timestamp

    func run() async throws {
        let limit = now + .seconds(-HubLimits.supersededVersionLifetime.components.seconds)
        try await database.delete(
            from: "hub_metadata", key: "environment_id, source_id, name",
            where: "superseded_at IS NOT NULL AND superseded_at <= ?", [.moment(limit)])
        try await database.delete(
            from: "hub_files", key: "environment_id, source_id, path, hash",
            where: """
                last_version < (SELECT COALESCE(MAX(v.version), 0) FROM hub_versions v
                    WHERE v.environment_id = hub_files.environment_id AND v.source_id = hub_files.source_id
                        AND v.published_at <= ?)
                """, [.moment(limit)])
        try await database.delete(
            from: "hub_blobs", key: "environment_id, hash",
            where: """
                created_at <= ?
                    AND NOT EXISTS (SELECT 1 FROM hub_files f
                        WHERE f.environment_id = hub_blobs.environment_id AND f.hash = hub_blobs.hash)
                    AND NOT EXISTS (SELECT 1 FROM hub_assets a
                        WHERE a.environment_id = hub_blobs.environment_id AND a.hash = hub_blobs.hash)
                """, [.moment(limit)])
        try await removeOrphans(before: limit)
    }

    /// Removes pieces that belong to no file, one `storage_id` at a time. The query finds them in the index alone,
    /// because it would read the whole database if it read the pieces themselves.
    private func removeOrphans(before limit: Timestamp) async throws {
        let orphans = try await database.forAnalytics.read { try $0.rows(Self.orphans) }
        for orphan in orphans {
            try Task.checkCancellation()
            let storage = [try orphan.value("environment_id"), try orphan.value("storage_id")]
            try await database.write { connection in
                _ = try connection.execute(
                    """
                    DELETE FROM hub_pieces WHERE environment_id = ? AND storage_id = ? AND created_at <= ?
                        AND NOT EXISTS (SELECT 1 FROM hub_blobs b
                            WHERE b.environment_id = hub_pieces.environment_id
                                AND b.storage_id = hub_pieces.storage_id)
                    """, storage + [.moment(limit)])
            }
        }
    }

    static let orphans = """
        SELECT DISTINCT environment_id, storage_id FROM hub_pieces
        WHERE NOT EXISTS (SELECT 1 FROM hub_blobs b
            WHERE b.environment_id = hub_pieces.environment_id AND b.storage_id = hub_pieces.storage_id)
        """
}
