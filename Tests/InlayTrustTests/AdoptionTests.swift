import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// The adoption of a root with new timestamp or snapshot keys, which makes a device forget the versions it has seen.
/// Nothing but such a root does.
@Suite(.timeLimit(.minutes(5))) struct AdoptionTests {
    static let rotations: [[TopLevelRole]] = [[.timestamp], [.snapshot], [.timestamp, .snapshot]]

    /// A device that has seen a second version, a repository whose keys were rotated since, and a server that
    /// withholds the new root and serves the files of the first version.
    private struct Scene {
        var fixture: TrustFixture
        let withholding: ScriptedRepository
        let stored: [StoredMetadata: Data]

        init(rotating roles: [TopLevelRole]) async throws {
            fixture = try TrustFixture()
            try fixture.publish(["a": "1"])
            withholding = ScriptedRepository(clock: fixture.clock)
            withholding.serve(fixture.repository)
            try fixture.publish(["a": "22"])
            try await fixture.client().refresh()
            stored = await fixture.store.files
            try fixture.rotate(roles)
        }

        func client(
            _ store: any TrustMetadataStore, _ mirror: ScriptedRepository, anchor: Data?
        ) throws -> TrustClient {
            try TrustClient(anchor: anchor, store: store, mirrors: [mirror], clock: fixture.clock)
        }
    }

    @Test(arguments: rotations, [true, false])
    func `older files are refused after any step of adopting a root was interrupted`(
        rotating roles: [TopLevelRole], hasAnchor: Bool
    ) async throws {
        let scene = try await Scene(rotating: roles)
        let anchor = hasAnchor ? scene.fixture.repository.roots[0].bytes : nil
        var steps = 0
        for step in 1... {
            let store = MemoryMetadataStore(scene.stored)
            let failing = InterruptedStore(store, at: step)
            let first = try scene.client(failing, scene.fixture.server, anchor: anchor)
            let end = await scene.fixture.threat { try await first.refresh() }
            for start in 1...2 {
                let reopened = try scene.client(store, scene.withholding, anchor: anchor)
                let refusal = await scene.fixture.threat { try await reopened.refresh() }
                #expect(refusal == .rollback || refusal == .signature, "step \(step), start \(start)")
            }
            let last = try scene.client(store, scene.fixture.server, anchor: anchor)
            #expect(try await last.refresh().root.content.version == 2)
            guard end != nil else { break }
            #expect(end == .storage)
            steps = step
        }
        // The reads of the store, the five writes and removals of the adoption, and the three files after it.
        #expect(steps > 10)
    }

    @Test(arguments: rotations)
    func `an interrupted start from another root keeps the old root's known versions`(
        rotating roles: [TopLevelRole]
    ) async throws {
        let scene = try await Scene(rotating: roles)
        var steps = 0
        for step in 1... {
            let store = MemoryMetadataStore(scene.stored)
            let first = try scene.client(
                InterruptedStore(store, at: step), scene.fixture.server, anchor: nil)
            let root = scene.fixture.repository.root.bytes
            let end = await scene.fixture.threat { try await first.trust(root: root) }
            let reopened = try scene.client(store, scene.withholding, anchor: nil)
            let refusal = await scene.fixture.threat { try await reopened.refresh() }
            #expect(refusal == .rollback || refusal == .signature, "step \(step)")
            guard end != nil else { break }
            #expect(end == .storage)
            steps = step
        }
        // The write of the root, and the removal of the next root and of three roles.
        #expect(steps == 5)
    }

    @Test(arguments: rotations)
    func `rotating the timestamp or snapshot key recovers from used-up version numbers`(
        rotating roles: [TopLevelRole]
    ) async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "1"])
        try fixture.useUpVersions()
        #expect(try await fixture.client().refresh().timestamp.content.version == 5_000)
        try fixture.rotate(roles)
        let trusted = try await fixture.client().refresh()
        #expect(trusted.timestamp.bytes == fixture.repository.timestamp.bytes)
        #expect(trusted.snapshot.bytes == fixture.repository.snapshot.bytes)
    }

    @Test(arguments: rotations)
    func `a newer root in an updated app recovers from used-up version numbers`(
        rotating roles: [TopLevelRole]
    ) async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "1"])
        try fixture.useUpVersions()
        try await fixture.client().refresh()
        try fixture.rotate(roles)
        let updated = try TrustClient(
            anchor: fixture.repository.root.bytes, store: fixture.store, mirrors: [fixture.server],
            clock: fixture.clock)
        #expect(try await updated.refresh().snapshot.bytes == fixture.repository.snapshot.bytes)
    }

    @Test func `a rotation of the targets keys keeps the known versions`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "1"])
        try fixture.useUpVersions()
        try await fixture.client().refresh()
        try fixture.rotate([.targets])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .rollback)
    }
}

extension TrustFixture {
    /// Replaces the keys of these roles and serves everything.
    fileprivate mutating func rotate(_ roles: [TopLevelRole]) throws {
        var next = keys
        for role in roles { next[role] = .init([TrustKeyPair.generate()]) }
        try repository.rotate(from: keys, to: next, now: clock.now())
        keys = next
        server.serve(repository)
    }

    /// Serves files of an attacker with the online keys: high version numbers, and a role that the repository lacks.
    fileprivate func useUpVersions() throws {
        try serveSnapshot(
            version: 4_000, timestampVersion: 5_000,
            [
                "targets": MetadataEntry(version: repository.targets.content.version),
                "ghost": MetadataEntry(version: 9_000),
            ])
    }
}

/// A store whose n-th operation fails, as when the process ends there. The effects of earlier operations remain.
private actor InterruptedStore: TrustMetadataStore {
    private let store: MemoryMetadataStore
    private var remaining: Int

    init(_ store: MemoryMetadataStore, at step: Int) { (self.store, remaining) = (store, step) }

    func read(_ file: StoredMetadata) async throws -> Data? {
        try count()
        return await store.read(file)
    }

    func write(_ bytes: Data, as file: StoredMetadata) async throws {
        try count()
        await store.write(bytes, as: file)
    }

    func remove(_ file: StoredMetadata) async throws {
        try count()
        await store.remove(file)
    }

    private func count() throws {
        remaining -= 1
        // All later operations fail too, because the process has ended.
        if remaining <= 0 { throw CocoaError(.fileWriteUnknown) }
    }
}
