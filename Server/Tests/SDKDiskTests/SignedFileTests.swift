import Foundation
import InlayDiskTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// Signed content on a disk whose operations are recorded: a file is synced before it is renamed to its final name.
@Suite struct SignedFileTests {
    private struct UnexpectedOrder: Error { let events: [DiskWitness.Event] }

    @Test(.enabled(if: DiskWitness.isSupported))
    func
        `signed metadata is synced before its rename, and the folder before the call returns`()
        throws
    {
        let folder = try TemporaryFolder()
        let store = FolderMetadataStore(folder: folder.url)
        try store.write(Data("old".utf8), as: .role("timestamp"))
        let witness = DiskWitness(folder.url)
        try store.write(Data("new".utf8), as: .role("timestamp"))
        guard case .write(let part)? = witness.events.first else {
            throw UnexpectedOrder(events: witness.events)
        }
        #expect(
            witness.events == [
                .write(part), .sync(part), .rename(part, to: "timestamp.json"), .sync(""),
            ])
    }

    @Test(.enabled(if: DiskWitness.isSupported))
    func `a downloaded file is synced before its rename, and the folder before the call returns`()
        async throws
    {
        let repository = try Self.repository()
        let client = try TrustClient(
            anchor: repository.root, store: MemoryMetadataStore(), mirrors: [repository])
        try await client.refresh()
        let folder = try TemporaryFolder()
        let witness = DiskWitness(folder.url)
        _ = try await client.download("deep/er/b", into: folder.url)
        let events = witness.events
        guard
            case .rename(let part, _)? = events.first(where: { if case .rename = $0 { true } else { false } })
        else { throw UnexpectedOrder(events: events) }
        #expect(
            Array(events.suffix(4)) == [
                .write(part), .sync(part), .rename(part, to: "deep%2Fer%2Fb"), .sync(""),
            ])
    }

    /// Returns a repository with the target `deep/er/b`.
    private static func repository() throws -> PublishedFiles {
        let (now, contents) = (SystemTrustClock().now(), Data("other".utf8))
        func role() -> TrustKeyring.Role { TrustKeyring.Role([TrustKeyPair.generate()]) }
        let keys = TrustKeyring(root: role(), targets: role(), snapshot: role(), timestamp: role())
        var repository = try TrustRepository(keys: keys, now: now)
        let target = TargetFile(path: "deep/er/b", contents: contents)
        try repository.publish([target], keys: keys, now: now)
        return PublishedFiles(
            root: repository.roots[0].bytes, metadata: repository.files,
            targets: [target.publishedPath(consistent: true): contents])
    }
}

/// The files of a repository, served from memory.
private struct PublishedFiles: TrustFetcher {
    let root: Data
    let metadata: [String: Data]
    let targets: [String: Data]

    func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void) async throws {
        let files = request.tree == .metadata ? metadata : targets
        guard let bytes = files[request.path] else { throw TrustFetchError.notFound }
        try receive(bytes)
    }
}
