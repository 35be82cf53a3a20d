import Foundation
@_spi(Inlay) import InlayWire

extension TrustClient {
    /// Returns the root to start from: the stored one when it chains from the anchor, else the anchor.
    func startingState(at start: Timestamp) async throws(TrustError) -> TrustState {
        let stored: Signed<RootRole>? = try await read("root", limit: limits.rootBytes)
        guard let anchor else {
            guard let stored else { throw TrustError(.notFound, "no root is trusted yet", file: "root") }
            return try TrustState(root: stored, start: start)
        }
        let fromAnchor = try TrustState(root: anchor, start: start)
        guard let stored, stored.content.version >= anchor.content.version else { return fromAnchor }
        return await chained(from: fromAnchor, to: stored) ?? fromAnchor
    }

    /// Stores the root that an update starts from, unless the store holds it already.
    ///
    /// The app's root is newer than the stored one after an update of the app, and may rotate keys as every other
    /// root. The app brings it again after an interruption, so the versions can be removed before it is written.
    func storeRoot(_ root: Signed<RootRole>) async throws(TrustError) {
        let stored: Signed<RootRole>? = try await read("root", limit: limits.rootBytes)
        guard stored?.bytes != root.bytes else { return }
        if let stored, stored.content.version < root.content.version,
            root.content.forgetsVersions(of: stored.content)
        {
            try await remove(.role(TopLevelRole.timestamp.rawValue))
            try await remove(.role(TopLevelRole.snapshot.rawValue))
        }
        try await write(root.bytes, .role("root"))
    }

    /// Verifies the chain of stored roots from the anchor to the newest; `nil` when a link is missing or broken.
    private func chained(from anchor: TrustState, to newest: Signed<RootRole>) async -> TrustState? {
        var state = anchor
        while state.root.content.version < newest.content.version {
            let version = state.root.content.version + 1
            var link: Signed<RootRole>? = newest
            if version < newest.content.version {
                link = try? await read(.formerRoot(version), name: "root", limit: limits.rootBytes)
            }
            guard let link, (try? state.advance(to: link)) != nil else { return nil }
        }
        return state.root.signedBytes == newest.signedBytes ? state : nil
    }

    /// Verifies everything in the store without regard to time.
    func loadStored() async throws(TrustError) {
        try await finishAdoption()
        var next = try await startingState(at: Timestamp(microseconds: .min))
        guard
            let timestamp: Signed<TimestampRole> = try await read("timestamp", limit: limits.timestampBytes),
            let snapshot: Signed<SnapshotRole> = try await read("snapshot", limit: limits.snapshotBytes),
            let targets: Signed<TargetsRole> = try await read("targets", limit: limits.targetsBytes)
        else { throw TrustError(.notFound, "the store holds no whole set of metadata") }
        _ = try next.accept(timestamp: timestamp)
        try next.accept(snapshot: snapshot, after: nil)
        try next.accept(targets: targets)
        (state, isOffline) = (next, true)
    }

    /// Returns a stored file; `nil` when there is none or it is not metadata any more. Its content is not trusted
    /// before its signatures are checked again.
    func read<Role>(_ role: String, limit: Int) async throws(TrustError) -> Signed<Role>? {
        try await read(.role(role), name: role, limit: limit)
    }

    func read<Role>(_ file: StoredMetadata, name: String, limit: Int) async throws(TrustError)
        -> Signed<Role>?
    {
        do {
            guard let bytes = try await store.read(file), bytes.count <= limit else { return nil }
            return try? Signed<Role>(bytes: bytes)
        } catch { throw TrustError(.storage, "\(error)", file: name) }
    }

    func write(_ bytes: Data, _ file: StoredMetadata) async throws(TrustError) {
        do { try await store.write(bytes, as: file) } catch { throw TrustError(.storage, "\(error)") }
    }

    func remove(_ file: StoredMetadata) async throws(TrustError) {
        do { try await store.remove(file) } catch { throw TrustError(.storage, "\(error)") }
    }
}
