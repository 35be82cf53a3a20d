import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// The client workflow of section 5 of the TUF specification, without an attack.
@Suite(.timeLimit(.minutes(5))) struct RefreshTests {
    @Test func `a first refresh asks for root, timestamp, snapshot and targets in this order`() async throws {
        let fixture = try TrustFixture()
        let trusted = try await fixture.client().refresh()
        #expect(
            fixture.server.requests == ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])
        #expect(trusted.targets.content.version == 1)
        #expect(trusted.expired(at: .start).isEmpty)
    }

    @Test func `a published file is found, downloaded and verified`() async throws {
        var fixture = try TrustFixture(threshold: 2)
        try fixture.publish(["articles/a/index.html": "Hello"])
        let client = try fixture.client()
        let target = try await client.target("articles/a/index.html")
        #expect(try await client.data(of: target) == Data("Hello".utf8))
        let path = "articles/a/\(target.hashes.values["sha256"] ?? "").index.html"
        #expect(fixture.server.requests.last == path)
    }

    @Test func `a refresh without a new version requests only the next root and the timestamp`() async throws
    {
        let fixture = try TrustFixture()
        try await fixture.client().refresh()
        fixture.server.forgetRequests()
        try await fixture.client().refresh()
        #expect(fixture.server.requests == ["2.root.json", "timestamp.json"])
    }

    @Test func `metadata is kept as the exact bytes received`() async throws {
        let fixture = try TrustFixture()
        var strange = fixture.repository.files
        strange["timestamp.json"] = fixture.repository.timestamp.bytes + Data(" \n\t ".utf8)
        fixture.server.serve(strange)
        try await fixture.client().refresh()
        #expect(await fixture.stored("timestamp") == strange["timestamp.json"])
        #expect(await fixture.stored("snapshot") == strange["1.snapshot.json"])
        #expect(await fixture.stored("targets") == strange["1.targets.json"])
    }

    @Test func `the next refresh completes an interrupted one`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "1"])
        fixture.server.answer("2.targets.json", .unreachable)
        #expect(await fixture.threat { try await fixture.client().refresh() } == .unreachable)
        #expect(await fixture.stored("snapshot") == fixture.repository.snapshot.bytes)
        fixture.server.serve(fixture.repository)
        #expect(try await fixture.client().refresh().targets.bytes == fixture.repository.targets.bytes)
    }

    @Test func `two refreshes at once run one after the other`() async throws {
        let fixture = try TrustFixture()
        let client = try fixture.client()
        async let one = client.refresh()
        async let other = client.refresh()
        let versions = try await [one.timestamp.content.version, other.timestamp.content.version]
        #expect(versions == [1, 1])
        #expect(
            fixture.server.requests == [
                "2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json", "2.root.json",
                "timestamp.json",
            ])
    }

    @Test func `what is stored can be read again without the network, whatever its age`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "1"])
        try await fixture.client().refresh()
        fixture.clock.set(to: .start + .days(4_000))
        let offline = try fixture.client(mirrors: [])
        let trusted = try await offline.stored()
        #expect(trusted.targets.content["a"] != nil)
        #expect(Set(trusted.expired(at: fixture.clock.now())) == [.root, .timestamp, .snapshot, .targets])
        #expect(trusted.expired(at: .start + .days(8)) == [.timestamp])
        #expect(trusted.expires == .start + .days(7))
        #expect(try await offline.target("a").length == 1)
    }

    @Test func `after a failed update, searches of stored metadata still stay on the device`() async throws {
        var fixture = try TrustFixture()
        try fixture.delegate("news", scope: .patterns(["*"]), texts: ["a": "1"])
        try await fixture.client().refresh()
        let client = try fixture.client()
        _ = try await client.stored()
        fixture.server.answer("timestamp.json", .unreachable)
        #expect(await fixture.threat { try await client.refresh() } == .unreachable)
        fixture.server.forgetRequests()
        #expect(await fixture.threat { try await client.target("a") } == .notFound)
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `stored metadata is not found in an empty store`() async throws {
        let fixture = try TrustFixture()
        #expect(await fixture.threat { try await fixture.client().stored() } == .notFound)
        let bare = try TrustClient(
            store: MemoryMetadataStore(), mirrors: [fixture.server], clock: fixture.clock)
        #expect(await fixture.threat { try await bare.refresh() } == .notFound)
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `trust can start from a root that an operator supplies`() async throws {
        let fixture = try TrustFixture()
        let client = try TrustClient(store: fixture.store, mirrors: [fixture.server], clock: fixture.clock)
        try await client.trust(root: fixture.repository.roots[0].bytes)
        #expect(fixture.server.requests.isEmpty)
        #expect(try await client.refresh().root.bytes == fixture.repository.root.bytes)
    }

    @Test func `file names have no versions without consistent snapshots`() async throws {
        let fixture = try TrustFixture()
        var role = fixture.repository.root.content
        role.consistentSnapshot = false
        let root = try Signed(role, signers: fixture.keys[.root].signers)
        fixture.server.serve([
            "snapshot.json": fixture.repository.snapshot.bytes,
            "targets.json": fixture.repository.targets.bytes,
        ])
        let client = try TrustClient(
            anchor: root.bytes, store: fixture.store, mirrors: [fixture.server], clock: fixture.clock)
        try await client.refresh()
        #expect(
            fixture.server.requests == ["2.root.json", "timestamp.json", "snapshot.json", "targets.json"])
    }

    @Test func `unknown members are kept and covered by the signature`() async throws {
        let fixture = try TrustFixture()
        let json = tampered(
            fixture.repository.root.bytes, "\"consistent_snapshot\"",
            "\"a note\":{\"x\":[1,null]},\"consistent_snapshot\"")
        let content = try Signed<RootRole>(bytes: json).content
        let root = try Signed(content, signers: fixture.keys[.root].signers)
        #expect(String(decoding: root.signedBytes, as: UTF8.self).contains("\"a note\":{\"x\":[1,null]}"))
        let client = try TrustClient(
            anchor: root.bytes, store: fixture.store, mirrors: [fixture.server], clock: fixture.clock)
        #expect(try await client.refresh().root.bytes == root.bytes)
    }

    @Test func `downloads run in parallel with each other and with an update`() async throws {
        var mutableFixture = try TrustFixture()
        try mutableFixture.publish(["a": "first", "b": "second"])
        let fixture = mutableFixture
        let client = try fixture.client()
        let (a, b) = (try await client.target("a"), try await client.target("b"))
        fixture.server.answerTarget(a.publishedPath(consistent: true), .stalled(after: Data("fi".utf8)))
        // Hangs until the clock advances at the end of the test; the other calls do not wait for it.
        async let hung = fixture.threat { [client] in try await client.data(of: a) }
        try await fixture.clock.untilSleeping(2)
        #expect(try await client.data(of: b) == Data("second".utf8))
        #expect(try await client.refresh().targets.content["b"] == b)
        fixture.clock.advance(by: .seconds(15))
        #expect(await hung == .slowRetrieval)
    }
}
