package import Foundation
import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayTrust
@_spi(Inlay) import InlayWire

/// One step in a change of a source's keys.
package enum HubKeyChange: Sendable {
    /// Gives a role another key; the server keeps its private half unless it is not online.
    case add(TopLevelRole, TrustKeyPair, name: String, isOnline: Bool)
    /// Puts a key in the place of one of a role's, by its id or the beginning of it; of its only one without
    /// an id. The other keys stay, and so does the threshold.
    case replace(TopLevelRole, String?, TrustKeyPair, name: String, isOnline: Bool)
    /// Takes a key out of a role, by its id or the beginning of it.
    case takeOut(TopLevelRole, String)
    /// Sets the number of keys of a role that have to sign.
    case threshold(TopLevelRole, Int)
}

extension HubPublisher {
    /// Makes the first keys and root of a source, before it has content, so that an app can be built with it.
    ///
    /// - Parameter root: Root keys that an operator keeps; without any the server makes and holds one.
    /// - Parameter threshold: How many of them every later root needs.
    @discardableResult
    package func makeKeys(
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
        try await promote(state, repository, files: [:], made: [:], keys: entries, at: moment)
        return try await content.source(environmentID, sourceID) ?? state.source
    }

    /// Makes the next root with changed keys, signed by enough keys of the old root and of the new one, and
    /// signs everything below it again.
    ///
    /// Also the answer to a lost key: what was taken out signs nothing that a device takes from now on. With
    /// no change at all the root is only renewed.
    /// - Parameter rootKeys: Root keys that the server does not hold.
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
            state, signing.repository, files: state.files, made: [:], keys: entries, retired: plan.retired,
            at: moment)
        return try await content.source(environmentID, sourceID) ?? state.source
    }

    /// Makes the next root in time when the server holds enough root keys; else an operator has to.
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

    /// The first root's file and the public half of its first root key: what an app carries.
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

/// The trust anchor that an app is built with to trust a source.
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
