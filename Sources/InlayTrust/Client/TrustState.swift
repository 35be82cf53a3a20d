import Foundation
@_spi(Inlay) import InlayWire

/// The metadata that is trusted, and the rules by which newer metadata takes its place.
///
/// Uses neither network nor disk: device, server and command line decide by the same code.
struct TrustState: Sendable {
    /// The time of the whole update, fixed at its start (5.1).
    let start: Timestamp
    private(set) var root: Signed<RootRole>
    private(set) var timestamp: Signed<TimestampRole>?
    private(set) var snapshot: Signed<SnapshotRole>?
    private(set) var targets: Signed<TargetsRole>?

    /// Creates a state from a root that the caller vouches for; it must still be signed by its own keys.
    init(root: Signed<RootRole>, start: Timestamp) throws(TrustError) {
        try SignatureCheck.verify(root, by: root.content.keys(of: .root), of: root.content.keyList, "root")
        (self.root, self.start) = (root, start)
    }

    /// Replaces the root by the next one, which must be signed by the old root's keys and by its own (5.3.4 to 5.3.6).
    mutating func advance(to next: Signed<RootRole>) throws(TrustError) {
        let name = "\(root.content.version + 1).root"
        try SignatureCheck.verify(next, by: root.content.keys(of: .root), of: root.content.keyList, name)
        try SignatureCheck.verify(next, by: next.content.keys(of: .root), of: next.content.keyList, name)
        guard next.content.version == root.content.version + 1 else {
            throw TrustError(
                .rollback, "version \(next.content.version) after \(root.content.version)", file: name)
        }
        root = next
    }

    func checkRootExpiry() throws(TrustError) { try root.content.checkExpiry("root", at: start) }

    /// Restores the timestamp trusted before, for comparison; `false` when the current root does not vouch for it.
    mutating func restore(timestamp old: Signed<TimestampRole>) -> Bool {
        guard (try? verify(old, .timestamp)) != nil else { return false }
        timestamp = old
        return true
    }

    /// Accepts a timestamp (5.4.2 to 5.4.4). Returns `false` when it is the one already trusted.
    mutating func accept(timestamp new: Signed<TimestampRole>) throws(TrustError) -> Bool {
        try verify(new, .timestamp)
        if let old = timestamp?.content {
            guard new.content.version >= old.version else {
                throw TrustError(
                    .rollback, "version \(new.content.version) after \(old.version)", file: "timestamp")
            }
            guard new.content.version > old.version else {
                try old.checkExpiry("timestamp", at: start)
                return false
            }
            guard new.content.snapshot.version >= old.snapshot.version else {
                throw TrustError(
                    .rollback, "snapshot \(new.content.snapshot.version) after \(old.snapshot.version)",
                    file: "timestamp")
            }
        }
        try new.content.checkExpiry("timestamp", at: start)
        timestamp = new
        return true
    }

    /// Returns the timestamp's entry for the snapshot.
    func snapshotEntry() throws(TrustError) -> MetadataEntry {
        guard let timestamp else {
            throw TrustError(.notFound, "there is no trusted timestamp", file: "timestamp")
        }
        return timestamp.content.snapshot
    }

    /// Accepts a snapshot (5.5.2 to 5.5.6) and compares it with the one trusted before, if there is one.
    mutating func accept(snapshot new: Signed<SnapshotRole>, after old: SnapshotRole?) throws(TrustError) {
        let entry = try snapshotEntry()
        try entry.check(new.bytes, "snapshot")
        try verify(new, .snapshot)
        guard new.content.version == entry.version else {
            throw TrustError(
                .mixAndMatch, "version \(new.content.version), the timestamp says \(entry.version)",
                file: "snapshot")
        }
        for file in old?.files ?? [] {
            guard let entry = new.content[file.role] else {
                throw TrustError(
                    .rollback, "role \(file.role.prefix(scalars: 80)) vanished", file: "snapshot")
            }
            guard entry.version >= file.entry.version else {
                throw TrustError(
                    .rollback,
                    "\(file.role.prefix(scalars: 80)) \(entry.version) after \(file.entry.version)",
                    file: "snapshot")
            }
        }
        try new.content.checkExpiry("snapshot", at: start)
        snapshot = new
    }

    /// Returns the snapshot's entry for a targets role.
    func targetsEntry(_ role: String) throws(TrustError) -> MetadataEntry {
        guard let snapshot else {
            throw TrustError(.notFound, "there is no trusted snapshot", file: "snapshot")
        }
        guard let entry = snapshot.content[role] else {
            throw TrustError(.mixAndMatch, "the snapshot does not know the role", file: role)
        }
        return entry
    }

    /// Accepts the top-level targets role (5.6.2 to 5.6.5).
    mutating func accept(targets new: Signed<TargetsRole>) throws(TrustError) {
        try verify(new, name: "targets", by: root.content.keys(of: .targets), of: root.content.keyList)
        targets = new
    }

    /// Verifies any targets role against the one that delegates to it (5.6.2 to 5.6.5).
    func verify(_ new: Signed<TargetsRole>, name: String, by role: RoleKeys, of keys: KeyList)
        throws(TrustError)
    {
        let entry = try targetsEntry(name)
        try entry.check(new.bytes, name)
        try SignatureCheck.verify(new, by: role, of: keys, name)
        guard new.content.version == entry.version else {
            throw TrustError(
                .mixAndMatch, "version \(new.content.version), the snapshot says \(entry.version)", file: name
            )
        }
        try new.content.checkExpiry(name, at: start)
    }

    func verify<Role>(_ file: Signed<Role>, _ role: TopLevelRole) throws(TrustError) {
        try SignatureCheck.verify(
            file, by: root.content.keys(of: role), of: root.content.keyList, role.rawValue)
    }
}
