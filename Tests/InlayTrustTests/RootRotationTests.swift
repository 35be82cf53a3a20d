import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// The replacement of compromised keys: a device receives new keys over the chain of roots, without an app release.
@Suite struct RootRotationTests {
    private func keyring(threshold: Int = 1) -> TrustKeyring {
        func role() -> TrustKeyring.Role {
            .init((0..<threshold).map { _ in TrustKeyPair.generate() }, threshold: threshold)
        }
        return TrustKeyring(root: role(), targets: role(), snapshot: role(), timestamp: role())
    }

    @Test func `all keys can be replaced while devices follow`() async throws {
        var world = try World()
        try world.publish(["a": "1"])
        try await world.client().refresh()
        let next = keyring(threshold: 2)
        try world.repository.rotate(from: world.keys, to: next, now: .start)
        world.keys = next
        world.server.serve(world.repository)
        let trusted = try await world.client().refresh()
        #expect(trusted.root.content.version == 2)
        #expect(trusted.targets.content["a"] != nil)
        try world.publish(["a": "22"])
        #expect(try await world.client().refresh().targets.content["a"]?.length == 2)
    }

    @Test func `metadata signed with a removed key is refused`() async throws {
        var world = try World()
        let stolen = world.keys
        var next = world.keys
        next[.timestamp] = .init([TrustKeyPair.generate()])
        try world.repository.rotate(from: world.keys, to: next, now: .start)
        world.server.serve(world.repository)
        try await world.client().refresh()
        let forged = try Signed(
            TimestampRole(version: 99, expires: .start + .days(1), snapshot: MetadataEntry(version: 99)),
            signers: stolen[.timestamp].signers)
        world.server.serve(["timestamp.json": forged.bytes])
        #expect(await world.threat { try await world.client().refresh() } == .signature)
    }

    @Test func `a new root needs the threshold of the old keys`() async throws {
        let world = try World(threshold: 2)
        let next = keyring()
        var role = world.repository.root.content
        role.header.version = 2
        role.setKeys(next[.root].signers.map(\.key), threshold: 1, for: .root)
        let half = Array(world.keys[.root].signers.prefix(1))
        world.server.serve(["2.root.json": try Signed(role, signers: half + next[.root].signers).bytes])
        #expect(await world.threat { try await world.client().refresh() } == .signature)
        #expect(await world.stored("root") == world.repository.root.bytes)
    }

    @Test func `a new root needs the threshold of its own keys`() async throws {
        let world = try World()
        let next = keyring(threshold: 2)
        var role = world.repository.root.content
        role.header.version = 2
        role.setKeys(next[.root].signers.map(\.key), threshold: 2, for: .root)
        let half = Array(next[.root].signers.prefix(1))
        world.server.serve(["2.root.json": try Signed(role, signers: world.keys[.root].signers + half).bytes])
        #expect(await world.threat { try await world.client().refresh() } == .signature)
    }

    @Test func `a root can be signed by several people one after the other`() async throws {
        var world = try World(threshold: 2)
        var role = world.repository.root.content
        role.header.version = 2
        let people = world.keys[.root].signers
        let first = try Signed(role, signers: [people[0]])
        #expect(throws: TrustError.self) { try world.repository.append(first) }
        try world.repository.append(Signed<RootRole>(bytes: first.bytes).signed(by: [people[1]]))
        world.server.serve(world.repository)
        #expect(try await world.client().refresh().root.content.version == 2)
    }

    @Test func `a device that missed many rotations catches up`() async throws {
        var world = try World()
        let client = try world.client()
        for _ in 0..<25 {
            let next = keyring()
            try world.repository.rotate(from: world.keys, to: next, now: .start)
            world.keys = next
        }
        world.server.serve(world.repository)
        #expect(try await client.refresh().root.content.version == 26)
        // The chain of roots is stored, so that the next start of the app can verify it without the network.
        #expect(try await world.client(mirrors: []).stored().root.content.version == 26)
    }

    @Test func `a stored root without a chain from the app's root is not trusted`() async throws {
        let (world, attacker) = (try World(), try World())
        try await world.client().refresh()
        var role = attacker.repository.root.content
        role.header.version = 5
        let forged = try Signed(role, signers: attacker.keys[.root].signers)
        await world.store.write(forged.bytes, as: .role("root"))
        await world.store.write(attacker.repository.timestamp.bytes, as: .role("timestamp"))
        let trusted = try await world.client().refresh()
        #expect(trusted.root.bytes == world.repository.root.bytes)
        #expect(trusted.timestamp.bytes == world.repository.timestamp.bytes)
    }

    @Test func `a missing link between the app's root and the stored one starts the chain again`()
        async throws
    {
        var world = try World()
        for _ in 0..<4 { try world.repository.rotate(from: world.keys, to: world.keys, now: .start) }
        world.server.serve(world.repository)
        try await world.client().refresh()
        await world.store.remove(.formerRoot(3))
        #expect(try await world.client().refresh().root.content.version == 5)
    }

    @Test func `an app with a newer root than the stored one starts from its own`() async throws {
        var world = try World()
        try await world.client().refresh()
        let next = keyring()
        try world.repository.rotate(from: world.keys, to: next, now: .start)
        world.server.serve(world.repository)
        let updated = try TrustClient(
            anchor: world.repository.root.bytes, store: world.store, mirrors: [world.server],
            clock: world.clock)
        #expect(try await updated.refresh().root.content.version == 2)
    }
}
