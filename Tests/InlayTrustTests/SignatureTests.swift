import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
@_spi(Inlay) @testable import InlayTrust
import Testing

/// The refusal of metadata that is not signed by a threshold of the right keys.
@Suite struct SignatureTests {
    @Test(arguments: TopLevelRole.allCases)
    func `metadata signed with an unknown key is refused`(role: TopLevelRole) async throws {
        let fixture = try TrustFixture()
        let stranger: [any TrustSigner] = [TrustKeyPair.generate()]
        let repository = fixture.repository
        switch role {
        case .root:
            var next = repository.root.content
            next.header.version = 2
            fixture.server.serve(["2.root.json": try Signed(next, signers: stranger).bytes])
        case .timestamp:
            fixture.server.serve([
                "timestamp.json": try Signed(repository.timestamp.content, signers: stranger).bytes
            ])
        case .snapshot:
            // A timestamp without a hash: only the signature protects the snapshot.
            let snapshot = try Signed(repository.snapshot.content, signers: stranger)
            let timestamp = try fixture.timestamp(version: 2, snapshot: MetadataEntry(version: 1))
            fixture.server.serve(["1.snapshot.json": snapshot.bytes, "timestamp.json": timestamp.bytes])
        case .targets:
            let targets = try Signed(repository.targets.content, signers: stranger)
            try fixture.serveSnapshot(version: 2, timestampVersion: 2, ["targets": MetadataEntry(version: 1)])
            fixture.server.serve(["1.targets.json": targets.bytes])
        }
        #expect(await fixture.threat { try await fixture.client().refresh() } == .signature)
        #expect(await fixture.stored(role.rawValue) == (role == .root ? repository.root.bytes : nil))
    }

    /// All encodings of the eight points of small order, including those that RFC 8032 does not allow.
    static let smallOrderKeys = [
        "01" + String(repeating: "00", count: 31), String(repeating: "00", count: 32),
        "ec" + String(repeating: "ff", count: 30) + "7f", "ed" + String(repeating: "ff", count: 30) + "7f",
        "ee" + String(repeating: "ff", count: 30) + "7f",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    ].flatMap { key in
        let sign = ["05": "85", "7a": "fa", "7f": "ff", "00": "80"][key.suffix(2)] ?? ""
        return [key, key.dropLast(2) + sign]
    }

    @Test(arguments: smallOrderKeys)
    func `a root with an Ed25519 key of small order is refused`(hex: String) async throws {
        let fixture = try TrustFixture()
        let key = TrustKey(type: "ed25519", scheme: "ed25519", publicValue: hex)
        #expect(hex.count == 64 && !key.isKnown)
        var role = fixture.repository.root.content
        role.setKeys([key] + fixture.keys[.timestamp].signers.map(\.key), for: .timestamp)
        role.header.version = 2
        let next = try forgedFile(role, signers: fixture.keys[.root].signers)
        fixture.server.serve(["2.root.json": next])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .signature)
        #expect(await fixture.stored("root") == fixture.repository.root.bytes)
        #expect(throws: TrustError.self) {
            try TrustClient(anchor: next, store: fixture.store, mirrors: [])
        }
    }

    @Test func `fewer keys than the threshold are not enough`() async throws {
        let fixture = try TrustFixture(threshold: 2)
        let one = Array(fixture.keys[.timestamp].signers.prefix(1))
        fixture.server.serve([
            "timestamp.json": try Signed(fixture.repository.timestamp.content, signers: one).bytes
        ])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .signature)
    }

    @Test func `one key with two ids counts once towards the threshold`() async throws {
        let fixture = try TrustFixture()
        let pair = try #require(fixture.keys[.timestamp].signers.first)
        let twin = try Renamed(signer: pair, id: "twin")
        var role = fixture.repository.root.content
        role.setKeys([pair.key, twin.key], threshold: 2, for: .timestamp)
        let root = try Signed(role, signers: fixture.keys[.root].signers)
        let timestamp = try Signed(fixture.repository.timestamp.content, signers: [pair, twin])
        #expect(timestamp.signatures.count == 2)
        fixture.server.serve(["timestamp.json": timestamp.bytes])
        let client = try TrustClient(
            anchor: root.bytes, store: fixture.store, mirrors: [fixture.server], clock: fixture.clock)
        #expect(await fixture.threat { try await client.refresh() } == .signature)
    }

    @Test func `a file with a repeated signature is invalid`() throws {
        let fixture = try TrustFixture()
        let text = String(decoding: fixture.repository.timestamp.bytes, as: UTF8.self)
        let start = try #require(text.range(of: "["))
        let end = try #require(text.range(of: "]"))
        let signature = text[start.upperBound..<end.lowerBound]
        let doubled = text.replacingOccurrences(of: "[\(signature)]", with: "[\(signature),\(signature)]")
        #expect(throws: TrustError.self) { try Signed<TimestampRole>(bytes: Data(doubled.utf8)) }
    }

    @Test func `a role that names one key twice is refused`() throws {
        let fixture = try TrustFixture()
        let id = fixture.keys[.timestamp].signers[0].key.id
        let doubled = tampered(fixture.repository.root.bytes, "[\"\(id)\"]", "[\"\(id)\",\"\(id)\"]")
        #expect(throws: TrustError.self) { try Signed<RootRole>(bytes: doubled) }
    }

    @Test func `a threshold of nought is refused`() throws {
        let fixture = try TrustFixture()
        let none = tampered(fixture.repository.root.bytes, "\"threshold\":1", "\"threshold\":0")
        #expect(throws: TrustError.self) { try Signed<RootRole>(bytes: none) }
    }

    @Test func `keys of unknown schemes are ignored while the threshold is met`() async throws {
        let fixture = try TrustFixture()
        let future = try Renamed(
            signer: TrustKeyPair.generate(), id: "future", type: "ml-dsa", scheme: "ml-dsa-65")
        let known = fixture.keys[.timestamp].signers
        var role = fixture.repository.root.content
        role.setKeys(known.map(\.key) + [future.key], threshold: 1, for: .timestamp)
        let root = try Signed(role, signers: fixture.keys[.root].signers)
        let timestamp = try Signed(fixture.repository.timestamp.content, signers: [future] + known)
        fixture.server.serve(["timestamp.json": timestamp.bytes])
        let client = try TrustClient(
            anchor: root.bytes, store: fixture.store, mirrors: [fixture.server], clock: fixture.clock)
        let trusted = try await client.refresh()
        #expect(trusted.timestamp.signatures.count == 2)
        #expect(trusted.root.content.keys.first { $0.id == "future" }?.isKnown == false)
    }

    @Test func `a key of an unknown scheme does not count towards the threshold`() async throws {
        let fixture = try TrustFixture()
        let future = try Renamed(
            signer: TrustKeyPair.generate(), id: "future", type: "ml-dsa", scheme: "ml-dsa-65")
        let known = fixture.keys[.timestamp].signers
        var role = fixture.repository.root.content
        role.setKeys(known.map(\.key) + [future.key], threshold: 2, for: .timestamp)
        let root = try Signed(role, signers: fixture.keys[.root].signers)
        fixture.server.serve([
            "timestamp.json": try Signed(fixture.repository.timestamp.content, signers: [future] + known)
                .bytes
        ])
        let client = try TrustClient(
            anchor: root.bytes, store: fixture.store, mirrors: [fixture.server], clock: fixture.clock)
        #expect(await fixture.threat { try await client.refresh() } == .signature)
    }

    @Test func `an invalid signature is ignored while the threshold is met`() async throws {
        var fixture = try TrustFixture()
        fixture.keys[.timestamp].signers.append(TrustKeyPair.generate())
        fixture.repository = try TrustRepository(keys: fixture.keys, now: .start)
        fixture.server.serve(fixture.repository)
        let wrong = fixture.repository.timestamp.signatures[1]
        let hex = wrong.value.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        for broken in ["", "00", "no hex at all", String(repeating: "ab", count: 64)] {
            fixture.server.serve(["timestamp.json": tampered(fixture.repository.timestamp.bytes, hex, broken)]
            )
            #expect(await fixture.threat { try await fixture.client().refresh() } == nil)
        }
    }

    @Test(arguments: TrustKeyPair.Kind.allCases)
    func `each kind of key signs and verifies`(kind: TrustKeyPair.Kind) throws {
        let pair = TrustKeyPair.generate(kind)
        let bytes = Data("signed".utf8)
        let signature = try pair.signature(over: bytes)
        #expect(pair.key.isKnown)
        #expect(pair.key.verifies(signature, over: bytes))
        #expect(!pair.key.verifies(signature, over: bytes + [0]))
        #expect(!pair.key.verifies(Data(), over: bytes))
        #expect(!TrustKeyPair.generate(kind).key.verifies(signature, over: bytes))
        #expect(try TrustKeyPair(kind, rawPrivateKey: pair.rawPrivateKey).key == pair.key)
        #expect(throws: TrustError.self) { try TrustKeyPair(kind, rawPrivateKey: Data(count: 5)) }
    }

    @Test func `any one flipped byte of signed metadata is refused`() async throws {
        let fixture = try TrustFixture()
        let bytes = fixture.repository.timestamp.bytes
        var accepted = 0
        for index in stride(from: 0, to: bytes.count, by: 3) {
            var flipped = bytes
            flipped[index] ^= 0x01
            fixture.server.serve(["timestamp.json": flipped])
            let client = try TrustClient(
                anchor: fixture.repository.root.bytes, store: MemoryMetadataStore(),
                mirrors: [fixture.server],
                clock: fixture.clock)
            if await fixture.threat({ try await client.refresh() }) == nil { accepted += 1 }
        }
        #expect(accepted == 0)
    }

    @Test func `altered contents are refused at download and before use`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "good"])
        let client = try fixture.client()
        let target = try await client.target("a")
        for bad in ["evil", "goo", "good!", ""] {
            fixture.server.serve(Data(bad.utf8), as: target)
            let threat = await fixture.threat { try await client.data(of: target) }
            #expect(threat == (bad.utf8.count > 4 ? .endlessData : .signature))
            #expect(throws: TrustError.self) { try target.verify(Data(bad.utf8)) }
        }
        try target.verify(Data("good".utf8))
    }

    @Test func `content signed with the key of another app is refused`() async throws {
        let (mine, other) = (try TrustFixture(), try TrustFixture())
        mine.server.serve(other.repository)
        #expect(await mine.threat { try await mine.client().refresh() } == .signature)
        #expect(await mine.stored("targets") == nil)
    }

    @Test func `without a usable root nothing is accepted`() async throws {
        let fixture = try TrustFixture()
        let good = fixture.repository.root.bytes
        for bad in [
            Data(), Data("no key".utf8), good.dropLast(5), tampered(good, "\"version\":1", "\"version\":2"),
        ] {
            #expect(throws: TrustError.self) {
                try TrustClient(
                    anchor: Data(bad), store: fixture.store, mirrors: [fixture.server], clock: fixture.clock)
            }
        }
        #expect(fixture.server.requests.isEmpty)
    }
}

/// A signer whose key has another id, or claims another type and scheme.
struct Renamed: TrustSigner {
    let signer: any TrustSigner
    let key: TrustKey

    init(signer: any TrustSigner, id: String, type: String? = nil, scheme: String? = nil) throws {
        self.signer = signer
        let json = TrustJSON.members([
            .init("keytype", .string(type ?? signer.key.type)),
            .init("scheme", .string(scheme ?? signer.key.scheme)),
            .init("keyval", .object([.init("public", .string(signer.key.publicValue))])),
        ])
        key = try TrustKey(id: id, json: json)
    }

    func signature(over bytes: Data) throws -> Data { try signer.signature(over: bytes) }
}
