import Foundation
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

extension HubPublisher {
    /// Verifies the signed metadata and makes it current.
    func promote(
        _ state: HubState, _ repository: TrustRepository, version: HubVersion? = nil,
        files: [String: HubBlob],
        generated: [String: Data], keys: [HubKeyEntry] = [], retired: [HubPromotion.RetiredKey] = [],
        nextArticleAt: Timestamp? = nil, at moment: Timestamp
    ) async throws {
        try await HubVerification(
            now: moment, before: state.metadata, after: repository.files, files: files, generated: generated
        ).run()
        let due = [
            repository.timestampDueAt, nextArticleAt ?? nextArticleAlreadyKnown(state, after: moment),
        ].compactMap(\.self).min()
        let promotion = HubPromotion(
            state: state, metadata: repository.files,
            timestampVersion: Int64(repository.timestamp.content.version),
            rootVersion: Int64(repository.root.content.version), version: version, files: files,
            nextDueAt: due,
            keys: keys, retired: retired, now: moment)
        try await database.write { try promotion.commit($0) }
        await notify(state.source.environmentID, state.source.id, promotion.timestampVersion)
    }

    private func nextArticleAlreadyKnown(_ state: HubState, after moment: Timestamp) -> Timestamp? {
        state.items.compactMap { $0.released?.publishAt }.filter { $0 > moment }.min()
    }

    /// Returns the keys that sign below the root: those that the root lists and the server holds.
    ///
    /// Throws `conflict` when a role cannot reach its threshold.
    func keyring(
        _ signers: [TopLevelRole: [TrustKeyPair]], _ repository: TrustRepository
    ) throws -> TrustKeyring {
        let root = repository.root.content
        func role(_ name: TopLevelRole) throws -> TrustKeyring.Role {
            let listed = root.keys(of: name)
            let usable = (signers[name] ?? []).filter { listed.keyIDs.contains($0.key.id) }
            guard usable.count >= listed.threshold || name == .root else {
                throw Problem(
                    .conflict, status: 409,
                    title: "The server holds too few keys of the role \(name.rawValue).",
                    detail: "It needs \(listed.threshold) and has \(usable.count).")
            }
            return TrustKeyring.Role(usable, threshold: listed.threshold)
        }
        return TrustKeyring(
            root: try role(.root), targets: try role(.targets), snapshot: try role(.snapshot),
            timestamp: try role(.timestamp))
    }

    /// Creates one key for each role, all stored by the server, for a source without keys.
    func firstKeys(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID
    ) throws -> ([TopLevelRole: [TrustKeyPair]], [HubKeyEntry]) {
        var signers: [TopLevelRole: [TrustKeyPair]] = [:]
        var entries: [HubKeyEntry] = []
        for role in TopLevelRole.allCases {
            let pair = TrustKeyPair.generate()
            signers[role] = [pair]
            entries.append(
                try keys.entry(
                    environmentID, sourceID, role, pair, name: "First \(role.rawValue) key", isOnline: true))
        }
        return (signers, entries)
    }

    func firstRing(_ signers: [TopLevelRole: [TrustKeyPair]]) -> TrustKeyring {
        func role(_ name: TopLevelRole) -> TrustKeyring.Role { TrustKeyring.Role(signers[name] ?? []) }
        return TrustKeyring(
            root: role(.root), targets: role(.targets), snapshot: role(.snapshot), timestamp: role(.timestamp)
        )
    }
}

extension TrustRepository {
    /// The time at which half of the lifetime of the timestamp is over and it must be signed anew.
    var timestampDueAt: Timestamp {
        timestamp.content.expires + .seconds(-lifetimes.timestamp.components.seconds / 2)
    }
}

extension HubState {
    /// Applies a manifest to this state, as ``HubContentStore`` would to the stored source, to compile it on trial.
    mutating func replaceContent(by manifest: HubManifest, at moment: Timestamp) {
        let before = Dictionary(items.map { ($0.reference, $0) }) { first, _ in first }
        items = manifest.items.map { item in
            let old = before[HubReference(item.kind, item.id)]
            return HubItem(
                kind: item.kind, id: item.id, draft: item.draft, revision: (old?.revision ?? 0) + 1,
                released: item.draft, releasedRevision: (old?.revision ?? 0) + 1,
                createdAt: old?.createdAt ?? moment, updatedAt: moment)
        }
        assets = manifest.assets
        var policy = source.policy
        policy.allowedURLs = manifest.allowedURLs ?? policy.allowedURLs
        policy.allowedDomains = manifest.allowedDomains ?? policy.allowedDomains
        source = HubSource(
            environmentID: source.environmentID, id: source.id, name: source.name,
            settings: manifest.settings(of: source.settings), policy: policy,
            notifications: manifest.notifications, version: source.version,
            contentVersion: source.contentVersion,
            timestampVersion: source.timestampVersion, rootVersion: source.rootVersion,
            publishedAt: source.publishedAt, createdAt: source.createdAt, updatedAt: moment)
    }
}
