import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// The client workflow of section 5 of the TUF specification, without an attack.
@Suite(.timeLimit(.minutes(5))) struct RefreshTests {
    @Test func `a first refresh asks for root, timestamp, snapshot and targets in this order`() async throws {
        let world = try World()
        let trusted = try await world.client().refresh()
        #expect(
            world.server.requests == ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])
        #expect(trusted.targets.content.version == 1)
        #expect(trusted.expired(at: .start).isEmpty)
    }

    @Test func `a published file is found, downloaded and verified`() async throws {
        var world = try World(threshold: 2)
        try world.publish(["articles/a/index.html": "Hello"])
        let client = try world.client()
        let target = try await client.target("articles/a/index.html")
        #expect(try await client.data(of: target) == Data("Hello".utf8))
        let path = "articles/a/\(target.hashes.values["sha256"] ?? "").index.html"
        #expect(world.server.requests.last == path)
    }

    @Test func `a refresh without a new version requests only the next root and the timestamp`() async throws
    {
        let world = try World()
        try await world.client().refresh()
        world.server.forgetRequests()
        try await world.client().refresh()
        #expect(world.server.requests == ["2.root.json", "timestamp.json"])
    }

    @Test func `metadata is kept as the exact bytes received`() async throws {
        let world = try World()
        var strange = world.repository.files
        strange["timestamp.json"] = world.repository.timestamp.bytes + Data(" \n\t ".utf8)
        world.server.serve(strange)
        try await world.client().refresh()
        #expect(await world.stored("timestamp") == strange["timestamp.json"])
        #expect(await world.stored("snapshot") == strange["1.snapshot.json"])
        #expect(await world.stored("targets") == strange["1.targets.json"])
    }

    @Test func `the next refresh completes an interrupted one`() async throws {
        var world = try World()
        try world.publish(["a": "1"])
        world.server.answer("2.targets.json", .unreachable)
        #expect(await world.threat { try await world.client().refresh() } == .unreachable)
        #expect(await world.stored("snapshot") == world.repository.snapshot.bytes)
        world.server.serve(world.repository)
        #expect(try await world.client().refresh().targets.bytes == world.repository.targets.bytes)
    }

    @Test func `two refreshes at once run one after the other`() async throws {
        let world = try World()
        let client = try world.client()
        async let one = client.refresh()
        async let other = client.refresh()
        let versions = try await [one.timestamp.content.version, other.timestamp.content.version]
        #expect(versions == [1, 1])
        #expect(
            world.server.requests == [
                "2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json", "2.root.json",
                "timestamp.json",
            ])
    }

    @Test func `what is stored can be read again without the network, whatever its age`() async throws {
        var world = try World()
        try world.publish(["a": "1"])
        try await world.client().refresh()
        world.clock.set(to: .start + .days(4_000))
        let offline = try world.client(mirrors: [])
        let trusted = try await offline.stored()
        #expect(trusted.targets.content["a"] != nil)
        #expect(Set(trusted.expired(at: world.clock.now())) == [.root, .timestamp, .snapshot, .targets])
        #expect(trusted.expired(at: .start + .days(8)) == [.timestamp])
        #expect(trusted.expires == .start + .days(7))
        #expect(try await offline.target("a").length == 1)
    }

    @Test func `after a failed update, searches of stored metadata still stay on the device`() async throws {
        var world = try World()
        try world.delegate("news", scope: .patterns(["*"]), texts: ["a": "1"])
        try await world.client().refresh()
        let client = try world.client()
        _ = try await client.stored()
        world.server.answer("timestamp.json", .unreachable)
        #expect(await world.threat { try await client.refresh() } == .unreachable)
        world.server.forgetRequests()
        #expect(await world.threat { try await client.target("a") } == .notFound)
        #expect(world.server.requests.isEmpty)
    }

    @Test func `stored metadata is not found in an empty store`() async throws {
        let world = try World()
        #expect(await world.threat { try await world.client().stored() } == .notFound)
        let bare = try TrustClient(store: MemoryMetadataStore(), mirrors: [world.server], clock: world.clock)
        #expect(await world.threat { try await bare.refresh() } == .notFound)
        #expect(world.server.requests.isEmpty)
    }

    @Test func `trust can start from a root that an operator supplies`() async throws {
        let world = try World()
        let client = try TrustClient(store: world.store, mirrors: [world.server], clock: world.clock)
        try await client.trust(root: world.repository.roots[0].bytes)
        #expect(world.server.requests.isEmpty)
        #expect(try await client.refresh().root.bytes == world.repository.root.bytes)
    }

    @Test func `file names have no versions without consistent snapshots`() async throws {
        let world = try World()
        var role = world.repository.root.content
        role.consistentSnapshot = false
        let root = try Signed(role, signers: world.keys[.root].signers)
        world.server.serve([
            "snapshot.json": world.repository.snapshot.bytes, "targets.json": world.repository.targets.bytes,
        ])
        let client = try TrustClient(
            anchor: root.bytes, store: world.store, mirrors: [world.server], clock: world.clock)
        try await client.refresh()
        #expect(world.server.requests == ["2.root.json", "timestamp.json", "snapshot.json", "targets.json"])
    }

    @Test func `unknown members are kept and covered by the signature`() async throws {
        let world = try World()
        let json = tampered(
            world.repository.root.bytes, "\"consistent_snapshot\"",
            "\"a note\":{\"x\":[1,null]},\"consistent_snapshot\"")
        let content = try Signed<RootRole>(bytes: json).content
        let root = try Signed(content, signers: world.keys[.root].signers)
        #expect(String(decoding: root.signedBytes, as: UTF8.self).contains("\"a note\":{\"x\":[1,null]}"))
        let client = try TrustClient(
            anchor: root.bytes, store: world.store, mirrors: [world.server], clock: world.clock)
        #expect(try await client.refresh().root.bytes == root.bytes)
    }

    @Test func `downloads run in parallel with each other and with an update`() async throws {
        var mutableWorld = try World()
        try mutableWorld.publish(["a": "first", "b": "second"])
        let world = mutableWorld
        let client = try world.client()
        let (a, b) = (try await client.target("a"), try await client.target("b"))
        world.server.answerTarget(a.publishedPath(consistent: true), .stalled(after: Data("fi".utf8)))
        // Hangs until the clock advances at the end of the test; the other calls do not wait for it.
        async let hung = world.threat { [client] in try await client.data(of: a) }
        try await world.clock.untilSleeping(2)
        #expect(try await client.data(of: b) == Data("second".utf8))
        #expect(try await client.refresh().targets.content["b"] == b)
        world.clock.advance(by: .seconds(15))
        #expect(await hung == .slowRetrieval)
    }
}
