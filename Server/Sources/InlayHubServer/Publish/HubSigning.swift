import Crypto
import Foundation
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// The signing of the metadata of a version.
///
/// The targets of a source with many files are spread over sixteen delegated roles by the hash of their paths, all
/// signed with the targets keys. A device then fetches the list of one role for a changed article, and not the list of
/// all files.
struct HubSigning {
    /// The maximum number of targets without delegated roles. Targets that were spread once stay spread.
    static let maximumTargetsInOne = 48
    private static let bins = Array("0123456789abcdef").map(String.init)

    var repository: TrustRepository
    let keys: TrustKeyring
    let now: Timestamp

    /// Signs these files, and no others, as the next version.
    mutating func publish(_ files: [String: HubBlob]) throws {
        let targets = files.sorted { $0.key < $1.key }.map { path, blob in
            TargetFile(path: path, length: blob.size, hashes: FileHashes(["sha256": blob.hash]))
        }
        // A device refuses a snapshot without a role that it knows, and after a restore it may know these roles.
        let mustSpread = !repository.delegated.isEmpty || repository.minimumVersion > 1
        guard targets.count > Self.maximumTargetsInOne || mustSpread else {
            return try repository.publish(targets, keys: keys, now: now)
        }
        let isTop: (TargetFile) -> Bool = { [HubIndex.target, HubPolicy.target].contains($0.path) }
        let byBin = Dictionary(grouping: targets.filter { !isTop($0) }) { Self.bin(of: $0.path) }
        for bin in Self.bins { try publish(byBin[bin] ?? [], in: bin) }
        try repository.publish(targets.filter(isTop), delegations: delegations, keys: keys, now: now)
    }

    /// Signs the timestamp anew, and the other roles of which half of the lifetime is over.
    mutating func renew() throws {
        for bin in Self.bins {
            guard let role = repository.delegated["bin-\(bin)"],
                role.content.expires - now < repository.lifetimes.targets / 2
            else { continue }
            try sign(role.content.targets, in: bin, after: role)
        }
        try repository.renew(keys: keys, now: now)
    }

    private mutating func publish(_ files: [TargetFile], in bin: String) throws {
        let old = repository.delegated["bin-\(bin)"]
        let known = repository.targets.content.delegations?.roles.first { $0.name == "bin-\(bin)" }
        let isSame =
            old?.content.targets == files && (old?.content.version ?? 0) >= repository.minimumVersion
            && known?.keys == delegation(bin).keys
            && (old.map { $0.content.expires - now >= repository.lifetimes.targets / 2 } ?? false)
        if !isSame { try sign(files, in: bin, after: old) }
    }

    private mutating func sign(_ files: [TargetFile], in bin: String, after old: Signed<TargetsRole>?) throws
    {
        let role = TargetsRole(
            version: max((old?.content.version ?? 0) + 1, repository.minimumVersion),
            expires: now + repository.lifetimes.targets,
            targets: files)
        try repository.publish(
            try Signed(role, signers: keys[.targets].signers), as: "bin-\(bin)", keys: keys, now: now)
    }

    private var delegations: Delegations {
        var delegations = Delegations()
        for bin in Self.bins { delegations.set(delegation(bin), keys: keys[.targets].signers.map(\.key)) }
        return delegations
    }

    private func delegation(_ bin: String) -> DelegatedRole {
        DelegatedRole(
            "bin-\(bin)", keys: keys[.targets].signers.map(\.key), threshold: keys[.targets].threshold,
            scope: .hashPrefixes([bin]), isTerminating: true)
    }

    private static func bin(of path: String) -> String {
        String(HubBlobStore.hex(SHA256.hash(data: Data(path.utf8))).prefix(1))
    }
}
