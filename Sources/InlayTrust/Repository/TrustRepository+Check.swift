public import Foundation
@_spi(Inlay) public import InlayWire

extension TrustRepository {
    /// Verifies the repository as a device would: from the first root over the whole chain to every role,
    /// and each target whose bytes `contents` has.
    ///
    /// To be called before anything is promoted: what does not verify here would be refused everywhere.
    public func check(now: Timestamp, contents: [String: Data] = [:]) async throws(TrustError) {
        guard let first = roots.first else { throw TrustError(.notFound, "there is no root") }
        let client = try TrustClient(
            anchor: first.bytes, store: MemoryMetadataStore(), mirrors: [FilesFetcher(files: files)],
            clock: FixedClock(moment: now))
        let trusted = try await client.refresh()
        guard trusted.root.bytes == root.bytes, trusted.timestamp.bytes == timestamp.bytes else {
            throw TrustError(.mixAndMatch, "a device would not arrive at the newest metadata")
        }
        for file in targets.content.targets + delegated.values.flatMap(\.content.targets) {
            guard let bytes = contents[file.path] else { continue }
            try await client.target(file.path).verify(bytes)
        }
    }
}

/// Files in memory instead of a server.
private struct FilesFetcher: TrustFetcher {
    let files: [String: Data]

    func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void) async throws {
        guard let bytes = files[request.path] else { throw TrustFetchError.notFound }
        try receive(bytes)
    }
}

private struct FixedClock: TrustClock {
    let moment: Timestamp

    func now() -> Timestamp { moment }

    // Nothing here is slow; the watchdog is cancelled when the bytes are there.
    func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
