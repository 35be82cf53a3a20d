import Foundation
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

extension TrustFixture {
    /// Returns a timestamp with any content, signed with the right keys.
    func timestamp(
        version: Int, snapshot: MetadataEntry, expires: Timestamp = .start + .days(7)
    ) throws -> Signed<TimestampRole> {
        try Signed(
            TimestampRole(version: version, expires: expires, snapshot: snapshot),
            signers: keys[.timestamp].signers)
    }

    /// Serves a snapshot signed with the right keys, and a timestamp that points to it.
    func serveSnapshot(
        version: Int, timestampVersion: Int, expires: Timestamp = .start + .days(30),
        _ entries: [String: MetadataEntry]
    ) throws {
        var role = SnapshotRole(version: version, expires: expires)
        for (name, entry) in entries { role.set(entry, for: name) }
        let snapshot = try Signed(role, signers: keys[.snapshot].signers)
        let timestamp = try timestamp(
            version: timestampVersion, snapshot: MetadataEntry(version: version, bytes: snapshot.bytes))
        server.serve(["\(version).snapshot.json": snapshot.bytes, "timestamp.json": timestamp.bytes])
    }

    /// Delegates paths to a role with its own key, publishes the role's files, and serves everything.
    mutating func delegate(
        _ name: String, scope: DelegatedRole.Scope, isTerminating: Bool = false,
        texts: [String: String] = [:],
        signer: TrustKeyPair = .generate()
    ) throws {
        var delegations = repository.targets.content.delegations ?? Delegations()
        delegations.set(
            DelegatedRole(name, keys: [signer.key], scope: scope, isTerminating: isTerminating),
            keys: [signer.key])
        try repository.publish(
            repository.targets.content.targets, delegations: delegations, keys: keys, now: clock.now())
        let files = texts.map { TargetFile(path: $0, contents: Data($1.utf8)) }
        let role = try Signed(
            TargetsRole(expires: clock.now() + .days(90), targets: files), signers: [signer])
        try repository.publish(role, as: name, keys: keys, now: clock.now())
        for file in files { server.serve(Data((texts[file.path] ?? "").utf8), as: file) }
        server.serve(repository)
    }
}

/// Returns a signed file whose JSON was changed after signing.
func tampered(_ bytes: Data, _ old: String, _ new: String) -> Data {
    Data(String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: old, with: new).utf8)
}
