import InlaySQL
import InlayWire

/// Clears away what no reader can be in the middle of any more.
///
/// Versions stay in the history; their files and metadata go a day after a newer version came.
struct HubPruning: Sendable {
    let database: any SQLDatabase
    let now: Timestamp

    func run() async throws {
        let limit = now + .seconds(-HubLimits.keptFor.components.seconds)
        try await database.write { connection in
            try connection.execute(
                "DELETE FROM hub_metadata WHERE superseded_at IS NOT NULL AND superseded_at <= ?",
                [.moment(limit)])
            try connection.execute(
                """
                DELETE FROM hub_files WHERE last_version < (
                    SELECT COALESCE(MAX(v.version), 0) FROM hub_versions v
                    WHERE v.environment_id = hub_files.environment_id AND v.source_id = hub_files.source_id
                        AND v.published_at <= ?)
                """, [.moment(limit)])
            try connection.execute(
                """
                DELETE FROM hub_blobs WHERE created_at <= ?
                    AND NOT EXISTS (SELECT 1 FROM hub_files f
                        WHERE f.environment_id = hub_blobs.environment_id AND f.hash = hub_blobs.hash)
                    AND NOT EXISTS (SELECT 1 FROM hub_assets a
                        WHERE a.environment_id = hub_blobs.environment_id AND a.hash = hub_blobs.hash)
                """, [.moment(limit)])
            try connection.execute(
                """
                DELETE FROM hub_pieces WHERE created_at <= ?
                    AND NOT EXISTS (SELECT 1 FROM hub_blobs b
                        WHERE b.environment_id = hub_pieces.environment_id AND b.storage_id = hub_pieces.storage_id)
                """, [.moment(limit)])
        }
    }
}
