import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// Older metadata than the device has seen, fast-forwards, and mixes of versions.
@Suite struct RollbackTests {
    @Test func `an older timestamp is refused and the newer one stays`() async throws {
        var fixture = try TrustFixture()
        let old = fixture.repository
        try fixture.publish(["a": "new"])
        try await fixture.client().refresh()
        fixture.server.serve(old)
        #expect(await fixture.threat { try await fixture.client().refresh() } == .rollback)
        #expect(await fixture.stored("timestamp") == fixture.repository.timestamp.bytes)
        #expect(try await fixture.client().stored().targets.content["a"] != nil)
    }

    @Test func `a newer timestamp cannot point to an older snapshot`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "new"])
        try await fixture.client().refresh()
        let forged = try fixture.timestamp(version: 9, snapshot: MetadataEntry(version: 1))
        fixture.server.serve(["timestamp.json": forged.bytes])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .rollback)
        #expect(await fixture.stored("timestamp") == fixture.repository.timestamp.bytes)
    }

    @Test func `a newer snapshot cannot list older targets`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "new"])
        try await fixture.client().refresh()
        try fixture.serveSnapshot(version: 9, timestampVersion: 9, ["targets": MetadataEntry(version: 1)])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .rollback)
        #expect(await fixture.stored("snapshot") == fixture.repository.snapshot.bytes)
    }

    @Test func `a role may not vanish from the snapshot`() async throws {
        var fixture = try TrustFixture()
        try fixture.delegate("news", scope: .patterns(["news/*"]))
        try await fixture.client().refresh()
        let version = fixture.repository.targets.content.version
        try fixture.serveSnapshot(
            version: 9, timestampVersion: 9, ["targets": MetadataEntry(version: version)])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .rollback)
    }

    @Test func `expired metadata on the device still guards against older`() async throws {
        var fixture = try TrustFixture()
        let old = fixture.repository
        fixture.clock.set(to: .start + .days(6))
        try fixture.publish(["a": "new"])
        try await fixture.client().refresh()
        fixture.clock.set(to: .start + .days(14))
        fixture.server.serve(old)
        #expect(await fixture.threat { try await fixture.client().refresh() } == .rollback)
    }

    @Test func `a root whose version skips one is refused`() async throws {
        let fixture = try TrustFixture()
        var next = fixture.repository.root.content
        next.header.version = 3
        fixture.server.serve(["2.root.json": try Signed(next, signers: fixture.keys[.root].signers).bytes])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .rollback)
    }

    @Test func `another timestamp of the same version changes nothing`() async throws {
        let fixture = try TrustFixture()
        try await fixture.client().refresh()
        let twin = try fixture.timestamp(version: 1, snapshot: MetadataEntry(version: 100))
        fixture.server.serve(["timestamp.json": twin.bytes])
        let trusted = try await fixture.client().refresh()
        #expect(trusted.timestamp.bytes == fixture.repository.timestamp.bytes)
    }

    @Test func `new keys of timestamp and snapshot undo a fast-forward`() async throws {
        var fixture = try TrustFixture()
        try await fixture.client().refresh()
        // An attacker with the online keys has used up the version numbers.
        try fixture.serveSnapshot(
            version: 999_999, timestampVersion: 999_999, ["targets": MetadataEntry(version: 1)])
        try await fixture.client().refresh()
        fixture.server.serve(fixture.repository)
        #expect(await fixture.threat { try await fixture.client().refresh() } == .rollback)
        var next = fixture.keys
        next[.snapshot] = .init([TrustKeyPair.generate()])
        next[.timestamp] = .init([TrustKeyPair.generate()])
        try fixture.repository.rotate(from: fixture.keys, to: next, now: .start)
        fixture.server.serve(fixture.repository)
        let trusted = try await fixture.client().refresh()
        #expect(trusted.timestamp.content.version == fixture.repository.timestamp.content.version)
        #expect(trusted.snapshot.content.version == fixture.repository.snapshot.content.version)
    }

    @Test func `a version number above the maximum is refused`() async throws {
        let fixture = try TrustFixture()
        for version in ["9007199254740992", "9223372036854775807"] {
            let high = tampered(
                fixture.repository.timestamp.bytes, ",\"version\":1}}", ",\"version\":\(version)}}")
            fixture.server.serve(["timestamp.json": high])
            #expect(await fixture.threat { try await fixture.client().refresh() } == .fastForward)
        }
    }

    @Test func `a version number above the maximum in a meta entry is refused`() async throws {
        let fixture = try TrustFixture()
        let (highest, beyond) = (1 << 53 - 1, 1 << 53)
        let cases: [(Int, TrustError.Threat)] = [
            (beyond, .fastForward), (.max, .fastForward), (highest, .notFound),
        ]
        for (version, threat) in cases {
            let entry = MetadataEntry(version: version)
            let timestamp = TimestampRole(version: 2, expires: .start + .days(1), snapshot: entry)
            fixture.server.serve([
                "timestamp.json": try forgedFile(timestamp, signers: fixture.keys[.timestamp].signers)
            ])
            let device = try TrustFixture.device(following: fixture)
            #expect(await fixture.threat { try await device.refresh() } == threat)
            var snapshot = SnapshotRole(version: 2, expires: .start + .days(1))
            snapshot.set(entry, for: "targets")
            fixture.server.serve([
                "timestamp.json": try fixture.timestamp(version: 2, snapshot: MetadataEntry(version: 2))
                    .bytes,
                "2.snapshot.json": try forgedFile(snapshot, signers: fixture.keys[.snapshot].signers),
            ])
            let other = try TrustFixture.device(following: fixture)
            #expect(await fixture.threat { try await other.refresh() } == threat)
        }
    }

    @Test func `a snapshot with another version than in the timestamp is refused as a mix`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "new"])
        let timestamp = try fixture.timestamp(version: 9, snapshot: MetadataEntry(version: 3))
        fixture.server.serve([
            "timestamp.json": timestamp.bytes, "3.snapshot.json": fixture.repository.snapshot.bytes,
        ])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .mixAndMatch)
    }

    @Test func `targets with another version than in the snapshot are refused as a mix`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "new"])
        try fixture.serveSnapshot(version: 9, timestampVersion: 9, ["targets": MetadataEntry(version: 5)])
        fixture.server.serve(["5.targets.json": fixture.repository.targets.bytes])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .mixAndMatch)
    }

    @Test func `valid targets of the same version from another publish are refused as a mix`() async throws {
        var fixture = try TrustFixture()
        var fork = fixture.repository
        try fork.publish(
            [TargetFile(path: "b", contents: Data("other".utf8))], keys: fixture.keys,
            now: fixture.clock.now())
        try fixture.publish(["a": "new"])
        fixture.server.serve(["2.targets.json": fork.targets.bytes])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .mixAndMatch)
        #expect(await fixture.stored("targets") == nil)
    }

    @Test func `hashes are compared before anything is parsed`() async throws {
        let fixture = try TrustFixture()
        fixture.server.serve(["1.snapshot.json": Data("[[[[[[ no JSON".utf8)])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .mixAndMatch)
        fixture.server.serve(fixture.repository)
        fixture.server.serve(["1.targets.json": Data("[[[[[[ no JSON".utf8)])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .mixAndMatch)
    }

    @Test func `a delegated role the snapshot does not know is refused`() async throws {
        var fixture = try TrustFixture()
        var delegations = Delegations()
        let key = TrustKeyPair.generate().key
        delegations.set(DelegatedRole("news", keys: [key], scope: .patterns(["*"])), keys: [key])
        try fixture.repository.publish([], delegations: delegations, keys: fixture.keys, now: .start)
        fixture.server.serve(fixture.repository)
        #expect(await fixture.threat { try await fixture.client().target("a") } == .mixAndMatch)
    }

    @Test func `after a refused update the old content is still there`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "verified"])
        let client = try fixture.client()
        let target = try await client.target("a")
        let old = fixture.repository
        try fixture.publish(["a": "newer"])
        fixture.server.serve(["3.targets.json": old.targets.bytes])
        #expect(await fixture.threat { try await client.refresh() } == .mixAndMatch)
        #expect(await fixture.stored("targets") == old.targets.bytes)
        #expect(try await client.data(of: target) == Data("verified".utf8))
    }
}

extension Data {
    var utf8Text: String { String(decoding: self, as: UTF8.self) }
}
