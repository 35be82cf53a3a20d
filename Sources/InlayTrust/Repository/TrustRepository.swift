public import Foundation
@_spi(Inlay) public import InlayWire

/// The publisher's copy of a repository, which makes and signs new versions of its metadata.
///
/// It is a value: publish on a copy, check the copy with the verifier that devices use, and replace the
/// original only after that.
@_spi(Inlay) public struct TrustRepository: Sendable {
    /// All roots, oldest first. A device verifies each with the root before it.
    public private(set) var roots: [Signed<RootRole>]
    /// The top-level targets.
    public private(set) var targets: Signed<TargetsRole>
    /// The versions of the metadata files that belong together.
    public private(set) var snapshot: Signed<SnapshotRole>
    /// The version of the newest snapshot.
    public private(set) var timestamp: Signed<TimestampRole>
    /// The roles delegated to, by name.
    public private(set) var delegated: [String: Signed<TargetsRole>] = [:]
    /// The validity periods of new metadata.
    public var lifetimes: TrustLifetimes
    /// The minimum version of metadata that is published next. The versions of roots increase by one in any
    /// case.
    ///
    /// Set it on a repository that was restored from an older copy, above all versions that devices may have
    /// seen.
    public var minimumVersion = 1

    /// The newest root.
    public var root: Signed<RootRole> { roots[roots.count - 1] }

    /// A new repository without targets; all metadata has version 1.
    ///
    /// Throws `policy` when a role has fewer signers than its threshold.
    public init(keys: TrustKeyring, lifetimes: TrustLifetimes = TrustLifetimes(), now: Timestamp)
        throws(TrustError)
    {
        var role = RootRole(expires: now + lifetimes.root)
        for name in TopLevelRole.allCases {
            try Self.checkThreshold(keys[name], name)
            role.setKeys(keys[name].signers.map(\.key), threshold: keys[name].threshold, for: name)
        }
        self.lifetimes = lifetimes
        roots = [try Signed(role, signers: keys[.root].signers)]
        targets = try Signed(TargetsRole(expires: now + lifetimes.targets), signers: keys[.targets].signers)
        var list = SnapshotRole(expires: now + lifetimes.snapshot)
        list.set(MetadataEntry(version: 1, bytes: targets.bytes), for: "targets")
        snapshot = try Signed(list, signers: keys[.snapshot].signers)
        timestamp = try Signed(
            TimestampRole(
                expires: now + lifetimes.timestamp, snapshot: MetadataEntry(version: 1, bytes: snapshot.bytes)
            ),
            signers: keys[.timestamp].signers)
    }

    /// Reads a published repository from its files by their published names (`1.root.json`, …).
    ///
    /// Reads the roots from version 1 up to the first gap, and of the other files the versions that the
    /// timestamp and the snapshot list. Throws `notFound` when one of them is missing, `mixAndMatch` for a
    /// snapshot without targets.
    public init(files: [String: Data], lifetimes: TrustLifetimes = TrustLifetimes()) throws(TrustError) {
        self.lifetimes = lifetimes
        roots = []
        for version in 1... {
            guard let bytes = files["\(version).root.json"] else { break }
            roots.append(try Signed(bytes: bytes))
        }
        guard !roots.isEmpty, let newest = files["timestamp.json"] else {
            throw TrustError(.notFound, "the files hold no root or no timestamp")
        }
        timestamp = try Signed(bytes: newest)
        func file<Role>(_ role: String, _ entry: MetadataEntry) throws(TrustError) -> Signed<Role> {
            let name = TrustRequest.metadata(role, version: entry.version, maximumBytes: 0).path
            guard let bytes = files[name] else {
                throw TrustError(.notFound, "the file is missing", file: name)
            }
            return try Signed(bytes: bytes)
        }
        snapshot = try file("snapshot", timestamp.content.snapshot)
        guard let entry = snapshot.content["targets"] else {
            throw TrustError(.mixAndMatch, "the snapshot does not know the role", file: "targets")
        }
        targets = try file("targets", entry)
        for item in snapshot.content.files where item.role != "targets" {
            delegated[item.role] = try file(item.role, item.entry)
        }
    }

    /// Publishes these files, and no others, as the top-level role's; delegations stay as they are.
    ///
    /// Throws `policy` for paths that could collide or leave a folder on some device.
    public mutating func publish(_ files: [TargetFile], keys: TrustKeyring, now: Timestamp) throws(TrustError)
    {
        try publish(files, delegations: targets.content.delegations, keys: keys, now: now)
    }

    /// Publishes files and delegations of the top-level role and, in the same snapshot, new metadata of
    /// delegated roles. Delegated roles that `roles` does not contain stay as they are.
    public mutating func publish(
        _ files: [TargetFile], delegations: Delegations?, roles: [String: Signed<TargetsRole>] = [:],
        keys: TrustKeyring, now: Timestamp
    ) throws(TrustError) {
        try TargetPaths.check(files.map(\.path))
        for (name, role) in roles { try replace(name, by: role) }
        var role = targets.content
        role.replaceTargets(files)
        role.delegations = delegations
        role.header.version = next(after: role.header.version)
        role.header.expires = now + lifetimes.targets
        targets = try Signed(role, signers: keys[.targets].signers)
        try signSnapshot(keys: keys, now: now)
    }

    /// Publishes the metadata of a delegated role, which the holder of the role's keys has signed.
    ///
    /// The version must be higher than the published one.
    public mutating func publish(
        _ file: Signed<TargetsRole>, as role: String, keys: TrustKeyring, now: Timestamp
    )
        throws(TrustError)
    {
        try replace(role, by: file)
        try signSnapshot(keys: keys, now: now)
    }

    private mutating func replace(_ role: String, by file: Signed<TargetsRole>) throws(TrustError) {
        try TargetPaths.check(file.content.targets.map(\.path))
        if let old = delegated[role], file.content.version <= old.content.version {
            throw TrustError(
                .rollback, "version \(file.content.version) after \(old.content.version)", file: role)
        }
        delegated[role] = file
    }

    /// Signs the timestamp again, and the snapshot and the targets when less than half of their lifetime is
    /// left. Call it well before the timestamp expires.
    public mutating func renew(keys: TrustKeyring, now: Timestamp) throws(TrustError) {
        if targets.content.expires - now < lifetimes.targets / 2 {
            return try publish(targets.content.targets, keys: keys, now: now)
        }
        if snapshot.content.expires - now < lifetimes.snapshot / 2 {
            return try signSnapshot(keys: keys, now: now)
        }
        try signTimestamp(keys: keys, now: now)
    }

    /// Makes the next root with the keys of `next`; it is signed by the keys of `current` and of `next`.
    ///
    /// Roles whose keys changed are signed again. When the keys of the timestamp or the snapshot changed,
    /// devices forget the versions that they saw, which is how TUF recovers from a fast-forward attack.
    public mutating func rotate(from current: TrustKeyring, to next: TrustKeyring, now: Timestamp)
        throws(TrustError)
    {
        var role = root.content
        role.header.version += 1
        role.header.expires = now + lifetimes.root
        for name in TopLevelRole.allCases {
            try Self.checkThreshold(next[name], name)
            role.setKeys(next[name].signers.map(\.key), threshold: next[name].threshold, for: name)
        }
        let areTargetsKeysRotated = root.content.keys(of: .targets).isRotated(to: role.keys(of: .targets))
        roots.append(try Signed(role, signers: current[.root].signers + next[.root].signers))
        if areTargetsKeysRotated {
            try publish(targets.content.targets, keys: next, now: now)
        } else {
            try signSnapshot(keys: next, now: now)
        }
    }

    /// Adds a root that was made and signed elsewhere, so that the keys need not be on one machine.
    public mutating func append(_ next: Signed<RootRole>) throws(TrustError) {
        var state = try TrustState(root: root, start: Timestamp(microseconds: 0))
        try state.advance(to: next)
        roots.append(next)
    }

    /// The metadata files by their published names: all roots, and the newest version of each other file.
    public var files: [String: Data] {
        var files = ["timestamp.json": timestamp.bytes]
        for root in roots { files["\(root.content.version).root.json"] = root.bytes }
        files["\(snapshot.content.version).snapshot.json"] = snapshot.bytes
        files["\(targets.content.version).targets.json"] = targets.bytes
        for (role, file) in delegated {
            files[TrustRequest.metadata(role, version: file.content.version, maximumBytes: 0).path] =
                file.bytes
        }
        return files
    }

    private mutating func signSnapshot(keys: TrustKeyring, now: Timestamp) throws(TrustError) {
        var list = SnapshotRole(
            version: next(after: snapshot.content.version), expires: now + lifetimes.snapshot)
        list.set(MetadataEntry(version: targets.content.version, bytes: targets.bytes), for: "targets")
        for (role, file) in delegated {
            list.set(MetadataEntry(version: file.content.version, bytes: file.bytes), for: role)
        }
        snapshot = try Signed(list, signers: keys[.snapshot].signers)
        try signTimestamp(keys: keys, now: now)
    }

    private mutating func signTimestamp(keys: TrustKeyring, now: Timestamp) throws(TrustError) {
        timestamp = try Signed(
            TimestampRole(
                version: next(after: timestamp.content.version), expires: now + lifetimes.timestamp,
                snapshot: MetadataEntry(version: snapshot.content.version, bytes: snapshot.bytes)),
            signers: keys[.timestamp].signers)
    }

    private func next(after version: Int) -> Int { max(version + 1, minimumVersion) }

    private static func checkThreshold(_ role: TrustKeyring.Role, _ name: TopLevelRole) throws(TrustError) {
        let count = Set(role.signers.map(\.key.id)).count
        guard role.threshold >= 1, count >= role.threshold else {
            throw TrustError(
                .policy, "\(count) keys cannot reach a threshold of \(role.threshold)", file: name.rawValue)
        }
    }
}

/// The signers of each role and the number of signatures that it needs.
@_spi(Inlay) public struct TrustKeyring: Sendable {
    /// The signers of one role.
    public struct Role: Sendable {
        /// The signers of the role.
        public var signers: [any TrustSigner]
        /// The number of different keys that must sign.
        public var threshold: Int

        /// A role with these signers; by default one of them is enough.
        public init(_ signers: [any TrustSigner], threshold: Int = 1) {
            (self.signers, self.threshold) = (signers, threshold)
        }
    }

    private var roles: [TopLevelRole: Role]

    /// Signers of the four roles.
    public init(root: Role, targets: Role, snapshot: Role, timestamp: Role) {
        roles = [.root: root, .targets: targets, .snapshot: snapshot, .timestamp: timestamp]
    }

    /// The signers of a role.
    public subscript(role: TopLevelRole) -> Role {
        get { roles[role] ?? Role([]) }
        set { roles[role] = newValue }
    }
}

/// The validity periods of published metadata.
@_spi(Inlay) public struct TrustLifetimes: Sendable, Equatable {
    /// The validity of a root; rotate before it ends.
    public var root: Duration = .seconds(365 * 86_400)
    /// The validity of targets metadata.
    public var targets: Duration = .seconds(90 * 86_400)
    /// The validity of a snapshot.
    public var snapshot: Duration = .seconds(30 * 86_400)
    /// The validity of a timestamp: the time for which an attacker on the network can hide a newer version.
    public var timestamp: Duration = .seconds(7 * 86_400)

    /// The defaults.
    public init() {}
}
