package import Foundation
import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayTrust
@_spi(Inlay) import InlayWire

/// One step in a change of a source's keys.
package enum HubKeyChange: Sendable {
    /// Adds a key to a role. The server stores the private half if the key is online.
    case add(TopLevelRole, TrustKeyPair, name: String, isOnline: Bool)
    /// Replaces a key of a role, which is given by its id or the first 8 or more characters of the id; without an id,
    /// the role's only key. The other keys and the threshold stay.
    case replace(TopLevelRole, String?, TrustKeyPair, name: String, isOnline: Bool)
    /// Removes a key from a role, by its id or the first 8 or more characters of the id.
    case remove(TopLevelRole, String)
    /// Sets the threshold of a role, the number of its keys that must sign.
    case threshold(TopLevelRole, Int)
}

extension HubPublisher {
    /// Creates the first keys and root of a source, before it has content, so that an app can be built with the root.
    ///
    /// - Parameter root: The root keys that an operator keeps; without any, the server creates and stores one.
    /// - Parameter threshold: The number of root keys that must sign every later root.
    @discardableResult
    package func createKeys(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, kind: TrustKeyPair.Kind = .ed25519,
        root: [TrustKeyPair] = [], threshold: Int = 1
    ) async throws -> HubSource {
        let moment = now()
        let state = try await database.read { try HubState.load(environmentID, sourceID, $0) }
        guard state.metadata.isEmpty else {
            throw Problem(
                .conflict, status: 409, title: "This source has its keys already.",
                detail: "Rotate them: inlay key content rotate.")
        }
        var signers: [TopLevelRole: [TrustKeyPair]] = [:]
        var entries: [HubKeyEntry] = []
        for role in TopLevelRole.allCases {
            let isOffline = role == .root && !root.isEmpty
            let pairs = isOffline ? root : [TrustKeyPair.generate(kind)]
            signers[role] = pairs
            for (index, pair) in pairs.enumerated() {
                let name = "First \(role.rawValue) key" + (pairs.count > 1 ? " \(index + 1)" : "")
                entries.append(
                    try keys.entry(environmentID, sourceID, role, pair, name: name, isOnline: !isOffline))
            }
        }
        var ring = firstRing(signers)
        ring[.root] = TrustKeyring.Role(signers[.root] ?? [], threshold: threshold)
        let repository: TrustRepository
        do {
            repository = try TrustRepository(
                keys: ring, lifetimes: state.source.settings.lifetimes, now: moment)
        } catch { throw Problem.keysRefused(error) }
        try await promote(state, repository, files: [:], generated: [:], keys: entries, at: moment)
        return try await content.source(environmentID, sourceID) ?? state.source
    }

    /// Publishes the next root with changed keys, signed by enough keys of the old root and of the new one, and
    /// signs all other roles again.
    ///
    /// This is also the remedy for a lost or stolen key: devices accept no new signature of a key that was removed.
    /// Without changes, the root is only renewed.
    /// - Parameter rootKeys: Root keys that the server does not have.
    @discardableResult
    package func changeKeys(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ changes: [HubKeyChange],
        rootKeys: [TrustKeyPair] = []
    ) async throws -> HubSource {
        let moment = now()
        let state = try await database.read { try HubState.load(environmentID, sourceID, $0) }
        guard var repository = try state.repository() else { throw Problem.notFound("key") }
        repository.lifetimes = state.source.settings.lifetimes
        var plan = HubKeyPlan(
            root: repository.root.content, signers: try await keys.signers(environmentID, sourceID),
            files: rootKeys)
        for change in changes { try plan.apply(change) }
        do {
            try repository.append(try plan.signedRoot(expires: moment + repository.lifetimes.root))
        } catch let error as TrustError { throw Problem.keysRefused(error) }
        var signing = HubSigning(
            repository: repository, keys: try keyring(plan.signers, repository), now: moment)
        try signing.publish(state.files)
        let entries = try plan.added.map { added in
            try keys.entry(
                environmentID, sourceID, added.role, added.pair, name: added.name, isOnline: added.isOnline)
        }
        try await promote(
            state, signing.repository, files: state.files, generated: [:], keys: entries,
            retired: plan.retired,
            at: moment)
        return try await content.source(environmentID, sourceID) ?? state.source
    }

    /// Renews the root in the last quarter of its lifetime if the server has enough root keys; otherwise an operator
    /// must do it.
    func renewRoot(_ environmentID: EnvironmentID, _ sourceID: HubSourceID) async throws {
        let state = try await database.read { try HubState.load(environmentID, sourceID, $0) }
        guard let root = try state.repository()?.root.content else { return }
        let held = try await keys.signers(environmentID, sourceID)[.root] ?? []
        let usable = held.filter { root.keys(of: .root).keyIDs.contains($0.key.id) }
        guard root.expires - now() < state.source.settings.lifetimes.root / 4,
            usable.count >= root.keys(of: .root).threshold
        else { return }
        try await changeKeys(environmentID, sourceID, [])
    }

    /// Returns the trust anchor of a source: the first root and the public half of its first root key.
    package func anchor(_ environmentID: EnvironmentID, _ sourceID: HubSourceID) async throws -> HubAnchor {
        let bytes = try await database.read { connection in
            try connection.row(
                "SELECT bytes FROM hub_metadata WHERE environment_id = ? AND source_id = ? AND name = ?",
                [.id(environmentID), .id(sourceID), "1.root.json"])?.blob("bytes")
        }
        guard let bytes else { throw Problem.notFound("key") }
        let root = try Signed<RootRole>(bytes: bytes).content
        let first = root.keys(of: .root).keyIDs.first
        let key = try await keys.keys(environmentID, sourceID).first { $0.role == .root && $0.id == first }
        guard let key, let der = Data(base64Encoded: key.publicDER) else { throw Problem.notFound("key") }
        return HubAnchor(root: bytes, publicDER: der)
    }
}

/// The trust anchor with which an app is built to trust a source.
package struct HubAnchor: Hashable, Sendable {
    /// `1.root.json`, the first signed root.
    package let root: Data
    /// `pubkey.der`, the public half of a key that signed it.
    package let publicDER: Data
}

extension Problem {
    static func whichKey(_ role: TopLevelRole, _ ids: [String]) -> Problem {
        .invalidValue(
            "key",
            "Say which: \(role.rawValue) has "
                + (ids.isEmpty ? "none." : ids.map { String($0.prefix(16)) }.joined(separator: ", ")))
    }

    static func keysRefused(_ error: TrustError) -> Problem {
        Problem(
            .conflict, status: 409, title: "Devices would refuse these keys; nothing was changed.",
            detail: error.description)
    }
}
