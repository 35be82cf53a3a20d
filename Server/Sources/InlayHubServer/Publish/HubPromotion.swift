import Foundation
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// The transaction that makes a verified version the current one. Devices get either the version before or this one.
struct HubPromotion: Sendable {
    /// The state from which the version was made. When the source was published meanwhile, nothing is changed.
    let state: HubState
    let metadata: [String: Data]
    let timestampVersion: Int64
    let rootVersion: Int64
    /// The new version; `nil` when only metadata was renewed.
    let version: HubVersion?
    let files: [String: HubBlob]
    let nextDueAt: Timestamp?
    let keys: [HubKeyEntry]
    /// The keys that are removed from their roles.
    let retired: [RetiredKey]
    let now: Timestamp

    struct RetiredKey: Sendable {
        let role: TopLevelRole
        let id: String
    }

    /// Writes the version within a transaction of the caller. Throws `conflict` when another operator or node published
    /// the source meanwhile.
    func commit(_ connection: any SQLConnection) throws {
        let source = state.source
        let changed = try connection.update(
            "hub_sources",
            set: [
                "version": .integer(version?.version ?? source.version),
                "content_version": .integer(version?.contentVersion ?? source.contentVersion),
                "timestamp_version": .integer(timestampVersion), "root_version": .integer(rootVersion),
                "next_due_at": .moment(nextDueAt),
                "published_at": .moment(version?.publishedAt ?? source.publishedAt),
            ],
            where: [
                "environment_id": .id(source.environmentID), "id": .id(source.id),
                "version": .integer(source.version),
                "timestamp_version": .integer(source.timestampVersion),
                "root_version": .integer(source.rootVersion),
            ])
        guard changed == 1 else { throw Problem.publishedMeanwhile }
        if let nextDueAt {
            try HubSourceJobs.enqueue(source.environmentID, source.id, at: nextDueAt, in: connection)
        }
        for entry in keys { try entry.insert(connection) }
        for key in retired {
            try HubKeyEntry.retire(source.environmentID, source.id, key.role, key.id, at: now, connection)
        }
        try replaceMetadata(connection)
        if let version { try insert(version, connection) }
    }

    private var sourceKey: [SQLValue] { [.id(state.source.environmentID), .id(state.source.id)] }

    private func replaceMetadata(_ connection: any SQLConnection) throws {
        for (name, bytes) in metadata where state.metadata[name] != bytes {
            try connection.execute(
                """
                INSERT INTO hub_metadata (environment_id, source_id, name, bytes, created_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (environment_id, source_id, name)
                DO UPDATE SET bytes = excluded.bytes, created_at = excluded.created_at, superseded_at = NULL
                """, sourceKey + [.text(name), .blob(bytes), .moment(now)])
        }
        for name in state.metadata.keys where metadata[name] == nil {
            try connection.execute(
                "UPDATE hub_metadata SET superseded_at = ? WHERE environment_id = ? AND source_id = ? AND name = ?",
                [.moment(now)] + sourceKey + [.text(name)])
        }
    }

    /// Marks the files of the version before that are unchanged as files of this version too.
    private func keepUnchanged(_ version: HubVersion, _ connection: any SQLConnection) throws {
        let before: [SQLValue] = [.integer(state.source.version)]
        try connection.execute(
            "UPDATE hub_files SET last_version = ? WHERE environment_id = ? AND source_id = ? AND last_version = ?",
            [.integer(version.version)] + sourceKey + before)
        for (path, blob) in state.files where files[path] != blob {
            try connection.execute(
                """
                UPDATE hub_files SET last_version = ?
                WHERE environment_id = ? AND source_id = ? AND path = ? AND hash = ?
                """, before + sourceKey + [.text(path), .text(blob.hash)])
        }
    }

    private func insert(_ version: HubVersion, _ connection: any SQLConnection) throws {
        try keepUnchanged(version, connection)
        for (path, blob) in files where state.files[path] != blob {
            try connection.execute(
                """
                INSERT INTO hub_files (environment_id, source_id, path, hash, size, first_version, last_version)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (environment_id, source_id, path, hash) DO UPDATE SET last_version = excluded.last_version
                """,
                sourceKey + [
                    .text(path), .text(blob.hash), .int(blob.size), .integer(version.version),
                    .integer(version.version),
                ])
        }
        // Pruning may have removed a blob that was unused for a day after it was looked up.
        let gone = try connection.row(
            """
            SELECT COUNT(*) AS n FROM hub_files f WHERE f.environment_id = ? AND f.source_id = ?
                AND f.last_version = ? AND NOT EXISTS (SELECT 1 FROM hub_blobs b
                    WHERE b.environment_id = f.environment_id AND b.hash = f.hash)
            """, sourceKey + [.integer(version.version)])
        guard try gone?.int("n") == 0 else { throw Problem.publishedMeanwhile }
        try connection.execute(
            """
            INSERT INTO hub_versions (environment_id, source_id, version, content_version, summary, published_by,
                published_at) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            sourceKey + [
                .integer(version.version), .integer(version.contentVersion),
                .text(try HubJSON.text(version.summary)), .text(version.publishedBy),
                .moment(version.publishedAt),
            ])
    }
}

extension Problem {
    static let publishedMeanwhile = Problem(
        .conflict, status: 409, title: "Somebody else published this source meanwhile.",
        detail: "Load it again and repeat your change.")
}
