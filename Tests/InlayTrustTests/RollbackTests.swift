import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// Older metadata than the device has seen, fast-forwards, and mixes of versions.
@Suite struct RollbackTests {
    @Test func `an older timestamp is refused and the newer one stays`() async throws {
        var world = try World()
        let old = world.repository
        try world.publish(["a": "new"])
        try await world.client().refresh()
        world.server.serve(old)
        #expect(await world.threat { try await world.client().refresh() } == .rollback)
        #expect(await world.stored("timestamp") == world.repository.timestamp.bytes)
        #expect(try await world.client().stored().targets.content["a"] != nil)
    }

    @Test func `a newer timestamp cannot point to an older snapshot`() async throws {
        var world = try World()
        try world.publish(["a": "new"])
        try await world.client().refresh()
        let forged = try world.timestamp(version: 9, snapshot: MetadataEntry(version: 1))
        world.server.serve(["timestamp.json": forged.bytes])
        #expect(await world.threat { try await world.client().refresh() } == .rollback)
        #expect(await world.stored("timestamp") == world.repository.timestamp.bytes)
    }

    @Test func `a newer snapshot cannot list older targets`() async throws {
        var world = try World()
        try world.publish(["a": "new"])
        try await world.client().refresh()
        try world.serveSnapshot(version: 9, timestampVersion: 9, ["targets": MetadataEntry(version: 1)])
        #expect(await world.threat { try await world.client().refresh() } == .rollback)
        #expect(await world.stored("snapshot") == world.repository.snapshot.bytes)
    }

    @Test func `a role may not vanish from the snapshot`() async throws {
        var world = try World()
        try world.delegate("news", scope: .patterns(["news/*"]))
        try await world.client().refresh()
        let version = world.repository.targets.content.version
        try world.serveSnapshot(version: 9, timestampVersion: 9, ["targets": MetadataEntry(version: version)])
        #expect(await world.threat { try await world.client().refresh() } == .rollback)
    }

    @Test func `expired metadata on the device still guards against older`() async throws {
        var world = try World()
        let old = world.repository
        world.clock.set(to: .start + .days(6))
        try world.publish(["a": "new"])
        try await world.client().refresh()
        world.clock.set(to: .start + .days(14))
        world.server.serve(old)
        #expect(await world.threat { try await world.client().refresh() } == .rollback)
    }

    @Test func `a root whose version skips one is refused`() async throws {
        let world = try World()
        var next = world.repository.root.content
        next.header.version = 3
        world.server.serve(["2.root.json": try Signed(next, signers: world.keys[.root].signers).bytes])
        #expect(await world.threat { try await world.client().refresh() } == .rollback)
    }

    @Test func `another timestamp of the same version changes nothing`() async throws {
        let world = try World()
        try await world.client().refresh()
        let twin = try world.timestamp(version: 1, snapshot: MetadataEntry(version: 100))
        world.server.serve(["timestamp.json": twin.bytes])
        let trusted = try await world.client().refresh()
        #expect(trusted.timestamp.bytes == world.repository.timestamp.bytes)
    }

    @Test func `new keys of timestamp and snapshot undo a fast-forward`() async throws {
        var world = try World()
        try await world.client().refresh()
        // An attacker with the online keys has used up the version numbers.
        try world.serveSnapshot(
            version: 999_999, timestampVersion: 999_999, ["targets": MetadataEntry(version: 1)])
        try await world.client().refresh()
        world.server.serve(world.repository)
        #expect(await world.threat { try await world.client().refresh() } == .rollback)
        var next = world.keys
        next[.snapshot] = .init([TrustKeyPair.generate()])
        next[.timestamp] = .init([TrustKeyPair.generate()])
        try world.repository.rotate(from: world.keys, to: next, now: .start)
        world.server.serve(world.repository)
        let trusted = try await world.client().refresh()
        #expect(trusted.timestamp.content.version == world.repository.timestamp.content.version)
        #expect(trusted.snapshot.content.version == world.repository.snapshot.content.version)
    }

    @Test func `a version number above the maximum is refused`() async throws {
        let world = try World()
        for version in ["9007199254740992", "9223372036854775807"] {
            let high = tampered(
                world.repository.timestamp.bytes, ",\"version\":1}}", ",\"version\":\(version)}}")
            world.server.serve(["timestamp.json": high])
            #expect(await world.threat { try await world.client().refresh() } == .fastForward)
        }
    }

    @Test func `a version number above the maximum in a meta entry is refused`() async throws {
        let world = try World()
        let (highest, beyond) = (1 << 53 - 1, 1 << 53)
        let cases: [(Int, TrustError.Threat)] = [
            (beyond, .fastForward), (.max, .fastForward), (highest, .notFound),
        ]
        for (version, threat) in cases {
            let entry = MetadataEntry(version: version)
            let timestamp = TimestampRole(version: 2, expires: .start + .days(1), snapshot: entry)
            world.server.serve([
                "timestamp.json": try forgedFile(timestamp, signers: world.keys[.timestamp].signers)
            ])
            let device = try World.device(following: world)
            #expect(await world.threat { try await device.refresh() } == threat)
            var snapshot = SnapshotRole(version: 2, expires: .start + .days(1))
            snapshot.set(entry, for: "targets")
            world.server.serve([
                "timestamp.json": try world.timestamp(version: 2, snapshot: MetadataEntry(version: 2)).bytes,
                "2.snapshot.json": try forgedFile(snapshot, signers: world.keys[.snapshot].signers),
            ])
            let other = try World.device(following: world)
            #expect(await world.threat { try await other.refresh() } == threat)
        }
    }

    @Test func `a snapshot with another version than in the timestamp is refused as a mix`() async throws {
        var world = try World()
        try world.publish(["a": "new"])
        let timestamp = try world.timestamp(version: 9, snapshot: MetadataEntry(version: 3))
        world.server.serve([
            "timestamp.json": timestamp.bytes, "3.snapshot.json": world.repository.snapshot.bytes,
        ])
        #expect(await world.threat { try await world.client().refresh() } == .mixAndMatch)
    }

    @Test func `targets with another version than in the snapshot are refused as a mix`() async throws {
        var world = try World()
        try world.publish(["a": "new"])
        try world.serveSnapshot(version: 9, timestampVersion: 9, ["targets": MetadataEntry(version: 5)])
        world.server.serve(["5.targets.json": world.repository.targets.bytes])
        #expect(await world.threat { try await world.client().refresh() } == .mixAndMatch)
    }

    @Test func `valid targets of the same version from another publish are refused as a mix`() async throws {
        var world = try World()
        var fork = world.repository
        try fork.publish(
            [TargetFile(path: "b", contents: Data("other".utf8))], keys: world.keys, now: world.clock.now())
        try world.publish(["a": "new"])
        world.server.serve(["2.targets.json": fork.targets.bytes])
        #expect(await world.threat { try await world.client().refresh() } == .mixAndMatch)
        #expect(await world.stored("targets") == nil)
    }

    @Test func `hashes are compared before anything is parsed`() async throws {
        let world = try World()
        world.server.serve(["1.snapshot.json": Data("[[[[[[ no JSON".utf8)])
        #expect(await world.threat { try await world.client().refresh() } == .mixAndMatch)
        world.server.serve(world.repository)
        world.server.serve(["1.targets.json": Data("[[[[[[ no JSON".utf8)])
        #expect(await world.threat { try await world.client().refresh() } == .mixAndMatch)
    }

    @Test func `a delegated role the snapshot does not know is refused`() async throws {
        var world = try World()
        var delegations = Delegations()
        let key = TrustKeyPair.generate().key
        delegations.set(DelegatedRole("news", keys: [key], scope: .patterns(["*"])), keys: [key])
        try world.repository.publish([], delegations: delegations, keys: world.keys, now: .start)
        world.server.serve(world.repository)
        #expect(await world.threat { try await world.client().target("a") } == .mixAndMatch)
    }

    @Test func `after a refused update the old content is still there`() async throws {
        var world = try World()
        try world.publish(["a": "verified"])
        let client = try world.client()
        let target = try await client.target("a")
        let old = world.repository
        try world.publish(["a": "newer"])
        world.server.serve(["3.targets.json": old.targets.bytes])
        #expect(await world.threat { try await client.refresh() } == .mixAndMatch)
        #expect(await world.stored("targets") == old.targets.bytes)
        #expect(try await client.data(of: target) == Data("verified".utf8))
    }
}

extension Data {
    var utf8Text: String { String(decoding: self, as: UTF8.self) }
}
