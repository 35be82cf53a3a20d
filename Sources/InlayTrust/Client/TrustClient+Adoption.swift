@_spi(Inlay) import InlayWire

/// Steps 5.3.8 and 5.3.11: a new root replaces the trusted one, and with new timestamp or snapshot keys the
/// versions seen so far are forgotten, so that a repository recovers from an attacker's high version numbers.
///
/// These are several writes, and the process can end between any two of them. Removing the versions first would
/// leave the old root without them, and the files of a rollback would be accepted. Writing the root first would
/// leave versions that the rotation is to undo. So the new root is written under a name of its own before
/// anything else, and the remaining steps are repeated from it when the client starts.
extension TrustClient {
    /// Replaces the trusted root by a root that it vouches for.
    func adopt(_ next: Signed<RootRole>, after old: Signed<RootRole>) async throws(TrustError) {
        guard next.content.forgetsVersions(of: old.content) else {
            try await storeFormerRoot(old)
            return try await write(next.bytes, .role("root"))
        }
        try await write(next.bytes, .nextRoot)
        try await complete(next, after: old)
    }

    /// Completes an adoption that was interrupted.
    func finishAdoption() async throws(TrustError) {
        guard let next: Signed<RootRole> = try await read(.nextRoot, name: "root", limit: limits.rootBytes),
            let old: Signed<RootRole> = try await read("root", limit: limits.rootBytes)
        else { return }
        // If the stored root does not vouch for the next one, only the last step is missing or the files are damaged.
        if var state = try? TrustState(root: old, start: clock.now()), (try? state.advance(to: next)) != nil {
            try await complete(next, after: old)
        } else {
            try await remove(.nextRoot)
        }
    }

    /// Performs the steps after the first. Every step can be repeated.
    private func complete(_ next: Signed<RootRole>, after old: Signed<RootRole>) async throws(TrustError) {
        try await storeFormerRoot(old)
        try await remove(.role(TopLevelRole.timestamp.rawValue))
        try await remove(.role(TopLevelRole.snapshot.rawValue))
        try await write(next.bytes, .role("root"))
        try await remove(.nextRoot)
    }

    /// Stores a replaced root: the chain from the app's root to the newest is checked at every start.
    private func storeFormerRoot(_ root: Signed<RootRole>) async throws(TrustError) {
        if anchor != nil { try await write(root.bytes, .formerRoot(root.content.version)) }
    }
}

extension RootRole {
    /// Whether this root rotates the keys of the timestamp or the snapshot of an older one.
    func forgetsVersions(of old: RootRole) -> Bool {
        [TopLevelRole.timestamp, .snapshot].contains { old.keys(of: $0).isRotated(to: keys(of: $0)) }
    }
}
