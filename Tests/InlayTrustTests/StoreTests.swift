import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayTrust

/// Tests of the stores of trusted metadata on the device.
@Suite struct StoreTests {
    @Test(arguments: [true, false])
    func `a store keeps exact bytes by any name`(isFolder: Bool) async throws {
        let folder = try TemporaryFolder()
        let store: any TrustMetadataStore =
            isFolder
            ? FolderMetadataStore(folder: folder.url.appendingPathComponent("a/b")) : MemoryMetadataStore()
        let names = ["root", "timestamp", "../root", "a/b", "é", "", ".", "x\u{0}y", "A", "roots"]
        for name in names { #expect(try await store.read(.role(name)) == nil) }
        for (index, name) in names.enumerated() {
            try await store.write(Data([UInt8(index)]), as: .role(name))
        }
        try await store.write(Data("former".utf8), as: .formerRoot(1))
        for (index, name) in names.enumerated() {
            #expect(try await store.read(.role(name)) == Data([UInt8(index)]))
        }
        try await store.write(Data("again".utf8), as: .role("root"))
        #expect(try await store.read(.role("root")) == Data("again".utf8))
        try await store.remove(.role("root"))
        try await store.remove(.role("root"))
        #expect(try await store.read(.role("root")) == nil)
        #expect(try await store.read(.formerRoot(1)) == Data("former".utf8))
    }

    @Test func `no two roles share a file, also where upper and lower case are one`() throws {
        let folder = try TemporaryFolder()
        let store = FolderMetadataStore(folder: folder.url)
        let roles = ["root", "ROOT", "Root", "news", "NEWS", "%52OOT", "%52oot", "é", "É"]
        for role in roles { try store.write(Data(role.utf8), as: .role(role)) }
        #expect(Set(folder.names.map { $0.lowercased() }).count == roles.count)
        #expect(try store.read(.role("root")) == Data("root".utf8))
    }

    @Test func `a folder never holds half a file`() throws {
        let folder = try TemporaryFolder()
        let store = FolderMetadataStore(folder: folder.url)
        for size in [0, 1, 100_000] { try store.write(Data(count: size), as: .role("timestamp")) }
        #expect(folder.names == ["timestamp.json"])
        #expect(try store.read(.role("timestamp"))?.count == 100_000)
    }

    @Test func `a store that opens removes partial files, but not the one that is being written`() throws {
        let folder = try TemporaryFolder()
        let roots = folder.url.appendingPathComponent("roots")
        try FileManager.default.createDirectory(at: roots, withIntermediateDirectories: true)
        let kept = folder.url.appendingPathComponent("notes.part")
        for url in [abandonedPart(in: folder.url), abandonedPart(in: roots), kept] {
            try Data("half".utf8).write(to: url)
        }
        let writing = try PartialFile(
            beside: folder.url.appendingPathComponent("root.json"), permissions: 0o644)
        _ = FolderMetadataStore(folder: folder.url)
        #expect(Set(folder.names) == [writing.url.lastPathComponent, "notes.part", "roots"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: roots.path).isEmpty)
        // As in a crash: the lock ends with the process that held it.
        close(writing.descriptor)
        _ = FolderMetadataStore(folder: folder.url)
        #expect(Set(folder.names) == ["notes.part", "roots"])
    }

    @Test func `a download removes the partial files of others that were interrupted`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "text"])
        let folder = try TemporaryFolder()
        try Data("half".utf8).write(to: abandonedPart(in: folder.url))
        _ = try await fixture.client().download("a", into: folder.url)
        #expect(folder.names == ["a"])
    }

    private func abandonedPart(in folder: URL) -> URL {
        folder.appendingPathComponent(".\(UUID().uuidString).part")
    }

    @Test func `damaged metadata on the device is fetched again`() async throws {
        let fixture = try TrustFixture()
        for damage in [Data(), Data("{]".utf8), Data("{\"signed\":{},\"signatures\":[]}".utf8)] {
            try await fixture.client().refresh()
            for role in ["timestamp", "snapshot", "targets", "root"] {
                await fixture.store.write(damage, as: .role(role))
            }
            try await fixture.client().refresh()
            #expect(await fixture.stored("targets") == fixture.repository.targets.bytes)
        }
    }

    @Test func `changed metadata on the device is fetched again`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "1"])
        try await fixture.client().refresh()
        await fixture.store.write(
            tampered(fixture.repository.targets.bytes, "\"length\":1", "\"length\":9"), as: .role("targets"))
        #expect(await fixture.threat { try await fixture.client(mirrors: []).stored() } == .mixAndMatch)
        #expect(try await fixture.client().refresh().targets.content["a"]?.length == 1)
    }

    @Test func `a disk that fails is reported as such, and nothing is half trusted`() async throws {
        let fixture = try TrustFixture()
        let client = try TrustClient(
            anchor: fixture.repository.root.bytes, store: FullDisk(), mirrors: [fixture.server],
            clock: fixture.clock)
        #expect(await fixture.threat { try await client.refresh() } == .storage)
    }

    @Test func `a file is downloaded once, and again when it was changed`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["deep/er/b": "other"])
        let folder = try TemporaryFolder()
        let client = try fixture.client()
        try await client.refresh()
        let file = try await client.download("deep/er/b", into: folder.url)
        #expect(folder.names == ["deep%2Fer%2Fb"])
        fixture.server.forgetRequests()
        #expect(try await client.download("deep/er/b", into: folder.url) == file)
        #expect(fixture.server.requests.isEmpty)
        try Data("othe!".utf8).write(to: file)
        _ = try await client.download("deep/er/b", into: folder.url)
        #expect(try Data(contentsOf: file) == Data("other".utf8))
        #expect(fixture.server.requests.count == 1)
    }

    @Test func `a repository of an earlier version of ours is still followed`() async throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/repository")
        let metadata = folder.appendingPathComponent("metadata")
        let server = ScriptedRepository()
        for name in try FileManager.default.contentsOfDirectory(atPath: metadata.path) {
            server.serve([name: try Data(contentsOf: metadata.appendingPathComponent(name))])
        }
        let client = try TrustClient(
            anchor: try Data(contentsOf: metadata.appendingPathComponent("1.root.json")),
            store: MemoryMetadataStore(), mirrors: [server], clock: ManualClock(at: .start))
        #expect(try await client.refresh().root.content.version == 2)
        for path in ["index.json", "articles/crossing/index.html", "channels/news/today.html"] {
            let target = try await client.target(path)
            let file = folder.appendingPathComponent("targets/\(target.publishedPath(consistent: true))")
            try target.verify(Data(contentsOf: file))
        }
    }
}

/// A store that can be read, but fails to write.
private struct FullDisk: TrustMetadataStore {
    func read(_ file: StoredMetadata) -> Data? { nil }
    func write(_ bytes: Data, as file: StoredMetadata) throws { throw CocoaError(.fileWriteOutOfSpace) }
    func remove(_ file: StoredMetadata) throws { throw CocoaError(.fileWriteOutOfSpace) }
}
