import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A file of a source with its path.
package struct HubAsset: Hashable, Sendable {
    /// The path: `assets/…`, or that of a page template.
    package let path: String
    package let blob: HubBlob
    package let updatedAt: Timestamp
}

extension HubContentStore {
    // MARK: Files

    /// Returns the files of a source, ordered by path.
    package func assets(_ environmentID: EnvironmentID, _ sourceID: HubSourceID) async throws -> [HubAsset] {
        try await database.read { try Self.assets(environmentID, sourceID, $0) }
    }

    /// Stores a path for a file of the blob store, in place of the file that had this path. Throws ``FieldErrors``,
    /// `not-found`.
    package func setAsset(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, path: String, _ blob: HubBlob
    ) async throws {
        if let fault = Self.fault(ofAsset: path, blob) { throw FieldErrors("path", fault) }
        let moment = now()
        try await database.write { connection in
            guard try Self.find(environmentID, sourceID, connection) != nil else {
                throw Problem.notFound("content source")
            }
            let known = try connection.row(
                "SELECT size FROM hub_blobs WHERE environment_id = ? AND hash = ?",
                [.id(environmentID), .text(blob.hash)])
            guard let known, try known.int("size") == blob.size else { throw Problem.notFound("file") }
            // A file of the same path is replaced and does not count.
            let count = try connection.row(
                "SELECT COUNT(*) AS n FROM hub_assets WHERE environment_id = ? AND source_id = ? AND path <> ?",
                [.id(environmentID), .id(sourceID), .text(path)])
            guard try count?.int("n") ?? 0 < HubLimits.maximumAssets else {
                throw FieldErrors("path", "A source has at most \(HubLimits.maximumAssets) files.")
            }
            try Self.insert(path, blob, at: moment, in: environmentID, sourceID, connection)
        }
    }

    /// Removes a file from the source. The next publish fails while a page still uses the file.
    package func deleteAsset(_ environmentID: EnvironmentID, _ sourceID: HubSourceID, path: String)
        async throws
    {
        try await database.changeOne(
            "file", "DELETE FROM hub_assets WHERE environment_id = ? AND source_id = ? AND path = ?",
            [.id(environmentID), .id(sourceID), .text(path)])
    }

    /// Returns the reason why a file may not have this name or size; `nil` when it may.
    static func fault(ofAsset path: String, _ blob: HubBlob) -> String? {
        guard HubPath.isAsset(path) || HubPath.isTemplate(path), let media = HubMedia(path: path) else {
            return
                "A path below assets/ in lower-case letters, digits, '-', '_' and '.', of a known kind of file."
        }
        if let fault = WindowsName.fault(inPath: path) { return fault }
        guard HubPath.isHash(blob.hash) else { return "The hash is no SHA-256 in hex." }
        guard (0...media.maximumBytes).contains(blob.size) else {
            return "At most \(media.maximumBytes) bytes."
        }
        return nil
    }

    static func insert(
        _ path: String, _ blob: HubBlob, at moment: Timestamp, in environmentID: EnvironmentID,
        _ sourceID: HubSourceID,
        _ connection: any SQLConnection
    ) throws {
        try connection.execute(
            """
            INSERT INTO hub_assets (environment_id, source_id, path, hash, size, updated_at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (environment_id, source_id, path)
            DO UPDATE SET hash = excluded.hash, size = excluded.size, updated_at = excluded.updated_at
            """,
            [
                .id(environmentID), .id(sourceID), .text(path), .text(blob.hash), .int(blob.size),
                .moment(moment),
            ])
    }

    static func assets(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ connection: any SQLConnection
    ) throws -> [HubAsset] {
        try connection.rows(
            "SELECT * FROM hub_assets WHERE environment_id = ? AND source_id = ? ORDER BY path",
            [.id(environmentID), .id(sourceID)]
        ).map { row in
            HubAsset(
                path: try row.text("path"),
                blob: HubBlob(hash: try row.text("hash"), size: try row.int("size")),
                updatedAt: try row.moment("updated_at"))
        }
    }
}
