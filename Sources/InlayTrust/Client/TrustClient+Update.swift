import Foundation
@_spi(Inlay) import InlayWire

extension TrustClient {
    /// Updates all top-level metadata (5.1 to 5.6).
    func update() async throws(TrustError) -> TrustedMetadata {
        roles = [:]
        try await finishAdoption()
        var next = try await startingState(at: clock.now())
        try await storeRoot(next.root)
        try await updateRoot(&next)
        try await updateTimestamp(&next)
        try await updateSnapshot(&next)
        try await updateTargets(&next)
        (state, isOffline) = (next, false)
        return try trusted()
    }

    /// Follows the chain of roots to its end (5.3).
    private func updateRoot(_ next: inout TrustState) async throws(TrustError) {
        for hop in 0... {
            let version = next.root.content.version + 1
            let current = next
            let found = try await mirrors.firstIfAny(
                .metadata("root", version: version, maximumBytes: limits.rootBytes)
            ) { bytes throws(TrustError) in
                var advanced = current
                try advanced.advance(to: Signed(bytes: bytes))
                return advanced
            }
            guard let found else { break }
            guard hop < limits.rootRotations else {
                throw TrustError(.endlessData, "more than \(limits.rootRotations) new roots", file: "root")
            }
            try await adopt(found.root, after: next.root)
            next = found
        }
        try next.checkRootExpiry()
    }

    /// Updates the timestamp (5.4) from every mirror: one that holds newer metadata back cannot hide it.
    private func updateTimestamp(_ next: inout TrustState) async throws(TrustError) {
        if let old: Signed<TimestampRole> = try await read("timestamp", limit: limits.timestampBytes) {
            _ = next.restore(timestamp: old)
        }
        let answers = try await mirrors.all(
            .metadata("timestamp", version: nil, maximumBytes: limits.timestampBytes))
        var failure: TrustError?
        var isCurrent = false
        for answer in answers {
            do {
                let new = try Signed<TimestampRole>(bytes: answer.get())
                if try next.accept(timestamp: new) { try await write(new.bytes, .role("timestamp")) }
                isCurrent = true
            } catch {
                if error.threat == .storage { throw error }
                failure = Mirrors.graver(failure, error.about("timestamp"))
            }
        }
        guard isCurrent else { throw failure ?? TrustError(.unreachable, "there is no repository to ask") }
    }

    /// Updates the snapshot (5.5); one that is stored already is not downloaded again.
    private func updateSnapshot(_ next: inout TrustState) async throws(TrustError) {
        let entry = try next.snapshotEntry()
        var old: Signed<SnapshotRole>? = try await read("snapshot", limit: limits.snapshotBytes)
        if let stored = old, (try? next.verify(stored, .snapshot)) == nil { old = nil }
        if let stored = old, stored.content.version == entry.version,
            (try? entry.check(stored.bytes, "snapshot")) != nil
        {
            return try next.accept(snapshot: stored, after: nil)
        }
        let request = try metadata("snapshot", entry, limit: limits.snapshotBytes, next)
        let (current, before) = (next, old?.content)
        next = try await mirrors.first(request) { bytes throws(TrustError) in
            var advanced = current
            // The hash comes before anything is parsed.
            try entry.check(bytes, "snapshot")
            try advanced.accept(snapshot: Signed(bytes: bytes), after: before)
            return advanced
        }
        if let snapshot = next.snapshot { try await write(snapshot.bytes, .role("snapshot")) }
    }

    /// Updates the top-level targets role (5.6).
    private func updateTargets(_ next: inout TrustState) async throws(TrustError) {
        let keys = next.root.content
        let targets = try await targetsMetadata(
            "targets", by: keys.keys(of: .targets), of: keys.keyList, in: next, isOnline: true)
        try next.accept(targets: targets)
    }

    /// Returns a targets role's metadata that its delegator vouches for: the stored file, or else a downloaded one.
    func targetsMetadata(
        _ role: String, by signers: RoleKeys, of keys: KeyList, in state: TrustState, isOnline: Bool
    ) async throws(TrustError) -> Signed<TargetsRole> {
        let entry = try state.targetsEntry(role)
        let statement = KnownRole.RoleStatement(entry: entry, signers: signers, keys: keys)
        if let stored = try await cachedRole(role, for: statement) {
            if isOnline { try stored.content.checkExpiry(role, at: state.start) }
            return stored
        }
        guard isOnline else { throw TrustError(.notFound, "not on this device", file: role) }
        let request = try metadata(role, entry, limit: limits.targetsBytes, state)
        let new = try await mirrors.first(request) { bytes throws(TrustError) in
            try entry.check(bytes, role)
            let file = try Signed<TargetsRole>(bytes: bytes)
            try state.verify(file, name: role, by: signers, of: keys)
            return file
        }
        try await write(new.bytes, .role(role))
        roles[Array(role.utf8)] = KnownRole(file: new, statements: [statement])
        return new
    }

    /// Returns the stored file if this delegator vouches for it. The file is parsed once, and checked once for each
    /// delegator: otherwise a search for thousands of paths would hash and verify the whole file for each of them.
    private func cachedRole(_ role: String, for statement: KnownRole.RoleStatement) async throws(TrustError)
        -> Signed<TargetsRole>?
    {
        let name = Array(role.utf8)
        if roles[name] == nil {
            let stored: Signed<TargetsRole>? = try await read(role, limit: limits.targetsBytes)
            roles[name] = stored.map { KnownRole(file: $0, statements: []) }
        }
        guard let known = roles[name] else { return nil }
        // Checked for this delegator, because another one may have vouched for the file.
        if known.statements.contains(statement) { return known.file }
        guard statement.accepts(known.file, role) else { return nil }
        roles[name]?.statements.append(statement)
        return known.file
    }

    private func metadata(
        _ role: String, _ entry: MetadataEntry, limit: Int, _ state: TrustState
    ) throws(TrustError) -> TrustRequest {
        if let length = entry.length, length > limit {
            throw TrustError(.endlessData, "\(length) bytes, at most \(limit) are taken", file: role)
        }
        return .metadata(
            role, version: state.root.content.consistentSnapshot ? entry.version : nil,
            maximumBytes: entry.length ?? limit)
    }
}
