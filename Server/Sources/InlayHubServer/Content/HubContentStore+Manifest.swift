import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

extension HubContentStore {
    /// Checks a manifest for a source with these settings. Throws ``HubFaults`` with everything that is wrong.
    package static func check(_ manifest: HubManifest, settings: HubSettings) throws {
        var faults = HubFaults()
        if manifest.items.count > HubLimits.maximumItems {
            faults.add("source", "At most \(HubLimits.maximumItems) items.")
        }
        if manifest.assets.count > HubLimits.maximumAssets {
            faults.add("source", "At most \(HubLimits.maximumAssets) files.")
        }
        var seen: Set<HubReference> = []
        for item in manifest.items {
            let place = "\(item.kind.rawValue) \(item.id.prefix(scalars: 64))"
            if let fault = HubCheck.fault(ofID: item.id) { faults.add(place, fault) }
            if !seen.insert(HubReference(item.kind, item.id)).inserted {
                faults.add(place, "It is there twice.")
            }
            for fault in HubCheck.faults(of: item.draft, item.kind).items {
                faults.add(place, fault.message, field: fault.field)
            }
        }
        for (path, blob) in manifest.assets.sorted(by: { $0.key < $1.key }) {
            if let fault = fault(ofAsset: path, blob) {
                faults.add("file \(path.prefix(scalars: 200))", fault)
            }
        }
        let settings = manifest.settings(of: settings)
        faults.collect("source") { try HubCheck.validate(settings) }
        faults.collect("source") { try HubCheck.validate(manifest.notifications, settings) }
        faults.collect("source") {
            try HubCheck.validate(
                HubPolicy(
                    version: 1, allowedURLs: manifest.allowedURLs ?? [],
                    allowedDomains: manifest.allowedDomains ?? []))
        }
        try faults.throwIfAny()
    }

    /// Replaces the content of the source by that of the manifest and releases it, in one transaction.
    ///
    /// All other items and files of the source are removed. The files must be in the blob store already.
    func replaceContent(_ environmentID: EnvironmentID, _ sourceID: HubSourceID, by manifest: HubManifest)
        async throws
        -> HubSource
    {
        let moment = now()
        return try await database.write { connection in
            guard let source = try Self.find(environmentID, sourceID, connection) else {
                throw Problem.notFound("content source")
            }
            try Self.replaceItems(manifest.items, source, at: moment, connection)
            try connection.execute(
                "DELETE FROM hub_assets WHERE environment_id = ? AND source_id = ?",
                [.id(environmentID), .id(sourceID)])
            for (path, blob) in manifest.assets {
                try Self.insert(path, blob, at: moment, in: environmentID, sourceID, connection)
            }
            var policy = source.policy
            policy.allowedURLs = manifest.allowedURLs ?? policy.allowedURLs
            policy.allowedDomains = manifest.allowedDomains ?? policy.allowedDomains
            if policy != source.policy { policy.version += 1 }
            let row = try connection.row(
                """
                UPDATE hub_sources SET settings = ?, policy = ?, notifications = ?, updated_at = ?
                WHERE environment_id = ? AND id = ? RETURNING *
                """,
                [
                    .text(try HubJSON.text(manifest.settings(of: source.settings))),
                    .text(try HubJSON.text(policy)), .text(try HubJSON.text(manifest.notifications)),
                    .moment(moment), .id(environmentID), .id(sourceID),
                ])
            return try Self.required(row)
        }
    }

    private static func replaceItems(
        _ items: [HubManifest.Item], _ source: HubSource, at moment: Timestamp,
        _ connection: any SQLConnection
    ) throws {
        var before = Dictionary(
            try self.items(source.environmentID, source.id, connection).map { ($0.reference, $0) }
        ) { first, _ in first }
        for item in items {
            let old = before.removeValue(forKey: HubReference(item.kind, item.id))
            if let old, old.draft == item.draft, old.released == item.draft { continue }
            let key = key(source.environmentID, source.id, item.kind, item.id)
            let row = try connection.row(
                """
                INSERT INTO hub_items (environment_id, source_id, kind, id, draft, revision, released_revision,
                    created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)
                ON CONFLICT (environment_id, source_id, kind, id) DO UPDATE SET draft = excluded.draft,
                    revision = hub_items.revision + 1, updated_at = excluded.updated_at
                RETURNING *
                """,
                key + [
                    .text(try HubJSON.text(item.draft)),
                    .integer(
                        try nextRevision(source.environmentID, source.id, item.kind, item.id, connection)),
                    .moment(moment), .moment(moment),
                ])
            if let row {
                try release(HubItem(row), at: moment, in: source.environmentID, source.id, connection)
            }
        }
        for gone in before.keys {
            try connection.execute(
                "DELETE FROM hub_items WHERE environment_id = ? AND source_id = ? AND kind = ? AND id = ?",
                key(source.environmentID, source.id, gone.kind, gone.id))
        }
    }
}
