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
        var fixture = try TrustFixture()
        try fixture.publish(["a": "1"])
        try await fixture.client().refresh()
        let next = keyring(threshold: 2)
        try fixture.repository.rotate(from: fixture.keys, to: next, now: .start)
        fixture.keys = next
        fixture.server.serve(fixture.repository)
        let trusted = try await fixture.client().refresh()
        #expect(trusted.root.content.version == 2)
        #expect(trusted.targets.content["a"] != nil)
        try fixture.publish(["a": "22"])
        #expect(try await fixture.client().refresh().targets.content["a"]?.length == 2)
    }

    @Test func `metadata signed with a removed key is refused`() async throws {
        var fixture = try TrustFixture()
        let stolen = fixture.keys
        var next = fixture.keys
        next[.timestamp] = .init([TrustKeyPair.generate()])
        try fixture.repository.rotate(from: fixture.keys, to: next, now: .start)
        fixture.server.serve(fixture.repository)
        try await fixture.client().refresh()
        let forged = try Signed(
            TimestampRole(version: 99, expires: .start + .days(1), snapshot: MetadataEntry(version: 99)),
            signers: stolen[.timestamp].signers)
        fixture.server.serve(["timestamp.json": forged.bytes])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .signature)
    }

    @Test func `a new root needs the threshold of the old keys`() async throws {
        let fixture = try TrustFixture(threshold: 2)
        let next = keyring()
        var role = fixture.repository.root.content
        role.header.version = 2
        role.setKeys(next[.root].signers.map(\.key), threshold: 1, for: .root)
        let half = Array(fixture.keys[.root].signers.prefix(1))
        fixture.server.serve(["2.root.json": try Signed(role, signers: half + next[.root].signers).bytes])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .signature)
        #expect(await fixture.stored("root") == fixture.repository.root.bytes)
    }

    @Test func `a new root needs the threshold of its own keys`() async throws {
        let fixture = try TrustFixture()
        let next = keyring(threshold: 2)
        var role = fixture.repository.root.content
        role.header.version = 2
        role.setKeys(next[.root].signers.map(\.key), threshold: 2, for: .root)
        let half = Array(next[.root].signers.prefix(1))
        fixture.server.serve([
            "2.root.json": try Signed(role, signers: fixture.keys[.root].signers + half).bytes
        ])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .signature)
    }

    @Test func `a root can be signed by several people one after the other`() async throws {
        var fixture = try TrustFixture(threshold: 2)
        var role = fixture.repository.root.content
        role.header.version = 2
        let people = fixture.keys[.root].signers
        let first = try Signed(role, signers: [people[0]])
        #expect(throws: TrustError.self) { try fixture.repository.append(first) }
        try fixture.repository.append(Signed<RootRole>(bytes: first.bytes).signed(by: [people[1]]))
        fixture.server.serve(fixture.repository)
        #expect(try await fixture.client().refresh().root.content.version == 2)
    }

    @Test func `a device that missed many rotations catches up`() async throws {
        var fixture = try TrustFixture()
        let client = try fixture.client()
        for _ in 0..<25 {
            let next = keyring()
            try fixture.repository.rotate(from: fixture.keys, to: next, now: .start)
            fixture.keys = next
        }
        fixture.server.serve(fixture.repository)
        #expect(try await client.refresh().root.content.version == 26)
        // The chain of roots is stored, so that the next start of the app can verify it without the network.
        #expect(try await fixture.client(mirrors: []).stored().root.content.version == 26)
    }

    @Test func `a stored root without a chain from the app's root is not trusted`() async throws {
        let (fixture, attacker) = (try TrustFixture(), try TrustFixture())
        try await fixture.client().refresh()
        var role = attacker.repository.root.content
        role.header.version = 5
        let forged = try Signed(role, signers: attacker.keys[.root].signers)
        await fixture.store.write(forged.bytes, as: .role("root"))
        await fixture.store.write(attacker.repository.timestamp.bytes, as: .role("timestamp"))
        let trusted = try await fixture.client().refresh()
        #expect(trusted.root.bytes == fixture.repository.root.bytes)
        #expect(trusted.timestamp.bytes == fixture.repository.timestamp.bytes)
    }

    @Test func `a missing link between the app's root and the stored one starts the chain again`()
        async throws
    {
        var fixture = try TrustFixture()
        for _ in 0..<4 { try fixture.repository.rotate(from: fixture.keys, to: fixture.keys, now: .start) }
        fixture.server.serve(fixture.repository)
        try await fixture.client().refresh()
        await fixture.store.remove(.formerRoot(3))
        #expect(try await fixture.client().refresh().root.content.version == 5)
    }

    @Test func `an app with a newer root than the stored one starts from its own`() async throws {
        var fixture = try TrustFixture()
        try await fixture.client().refresh()
        let next = keyring()
        try fixture.repository.rotate(from: fixture.keys, to: next, now: .start)
        fixture.server.serve(fixture.repository)
        let updated = try TrustClient(
            anchor: fixture.repository.root.bytes, store: fixture.store, mirrors: [fixture.server],
            clock: fixture.clock)
        #expect(try await updated.refresh().root.content.version == 2)
    }
}
