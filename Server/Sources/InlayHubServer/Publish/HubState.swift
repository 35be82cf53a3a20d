import Foundation
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// A source in one consistent read: the content that can be published, and the version that was published last.
struct HubState: Sendable {
    var source: HubSource
    var items: [HubItem]
    var assets: [String: HubBlob]
    /// The current metadata by published name, with all roots.
    var metadata: [String: Data]
    /// The targets of the published version.
    var files: [String: HubBlob]
    /// The fingerprint of the last version's content.
    var lastFingerprint: String?
    /// The time at which the current content was published. The policy may have been published later.
    var contentPublishedAt: Timestamp?
    /// The version of the policy that was published last.
    var publishedPolicyVersion: Int64?
    /// The number from which versions are counted: 0, or the time of the last restore in seconds since 1970.
    ///
    /// Devices may have seen versions that a restored database does not contain. A source is published less often than
    /// once a second, so all of these versions are less than the time of the restore.
    var versionBase: Int64 = 0

    /// Whether devices may have seen newer metadata than the current one.
    var isBehindRestore: Bool { !metadata.isEmpty && source.timestampVersion < versionBase }

    /// The policy as it is signed.
    var policy: HubPolicy {
        var policy = source.policy
        policy.version += versionBase
        return policy
    }

    /// The number of the next version.
    var nextVersion: Int64 { max(source.version + 1, versionBase) }

    /// Returns the repository with the current metadata, for the next version; `nil` before the first root.
    func repository() throws -> TrustRepository? {
        guard !metadata.isEmpty else { return nil }
        var repository = try TrustRepository(files: metadata, lifetimes: source.settings.lifetimes)
        repository.minimumVersion = Int(max(versionBase, 1))
        return repository
    }

    static func load(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ connection: any SQLConnection
    ) throws -> HubState {
        guard let source = try HubContentStore.find(environmentID, sourceID, connection) else {
            throw Problem.notFound("content source")
        }
        let sourceKey: [SQLValue] = [.id(environmentID), .id(sourceID)]
        let metadata = try connection.rows(
            """
            SELECT name, bytes FROM hub_metadata
            WHERE environment_id = ? AND source_id = ? AND superseded_at IS NULL
            """, sourceKey)
        let files = try connection.rows(
            """
            SELECT path, hash, size FROM hub_files WHERE environment_id = ? AND source_id = ? AND last_version = ?
            """, sourceKey + [.integer(source.version)])
        let version = try connection.row(
            "SELECT summary FROM hub_versions WHERE environment_id = ? AND source_id = ? AND version = ?",
            sourceKey + [.integer(source.version)])
        let content = try connection.row(
            "SELECT published_at FROM hub_versions WHERE environment_id = ? AND source_id = ? AND version = ?",
            sourceKey + [.integer(source.contentVersion)])
        let base = try connection.row("SELECT \(VersionBase.sql) AS base")?.int64("base") ?? 0
        let summary: HubVersion.Summary? = try version.map { try HubJSON.value(try $0.text("summary")) }
        return HubState(
            source: source, items: try HubContentStore.items(environmentID, sourceID, connection),
            assets: Dictionary(
                try HubContentStore.assets(environmentID, sourceID, connection).map { ($0.path, $0.blob) }
            ) { first, _ in first },
            metadata: Dictionary(
                try metadata.map { (try $0.text("name"), try $0.blob("bytes")) }
            ) { first, _ in first },
            files: Dictionary(
                try files.map { row in
                    (try row.text("path"), HubBlob(hash: try row.text("hash"), size: try row.int("size")))
                }
            ) { first, _ in first },
            lastFingerprint: summary?.fingerprint, contentPublishedAt: try content?.moment("published_at"),
            publishedPolicyVersion: summary?.policyVersion,
            versionBase: base / 1_000_000)
    }
}

extension HubSettings {
    var lifetimes: TrustLifetimes {
        var lifetimes = TrustLifetimes()
        lifetimes.root = .seconds(rootDays * 86_400)
        lifetimes.targets = .seconds(contentDays * 86_400)
        lifetimes.snapshot = .seconds(contentDays * 86_400)
        lifetimes.timestamp = .seconds(timestampHours * 3_600)
        return lifetimes
    }
}
