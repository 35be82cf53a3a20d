import Crypto
import Foundation
import InlaySQL
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayHubServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite struct HubKeyTests {
    private func key(_ role: TopLevelRole, _ fixture: HubServerFixture) async throws -> HubKey {
        try #require(
            try await fixture.keys.keys("env", "main").first { $0.role == role && $0.retiredAt == nil })
    }

    @Test(arguments: SQLEngine.allCases)
    func `every role's key can be rotated, and a device follows from the first root`(engine: SQLEngine)
        async throws
    {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill()
            try await fixture.publisher.publish("env", "main", by: "test")
            let device = try await fixture.device()
            try await device.update()
            for role in [TopLevelRole.timestamp, .snapshot, .targets, .root] {
                let old = try await key(role, fixture)
                fixture.time.advance(by: .seconds(10))
                try await fixture.publisher.changeKeys(
                    "env", "main",
                    [.add(role, .generate(.ecdsaP256), name: "new", isOnline: true), .remove(role, old.id)])
                #expect(try await device.update().index.version == 1)
                #expect(try await fixture.device().update().index.article("a1") != nil)
                #expect(try await key(role, fixture).kind == .ecdsaP256)
            }
            try await fixture.change(.article, "a1") { $0.title = "After" }
            try await fixture.publisher.publish("env", "main", by: "test")
            #expect(try await device.update().index.article("a1")?.title == "After")
            #expect(try await fixture.content.source("env", "main")?.rootVersion == 5)
        }
    }

    @Test func `metadata signed with a removed key is refused, and its private key is deleted`() async throws
    {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            try await fixture.publisher.publish("env", "main", by: "test")
            let stolen = try #require(try await fixture.keys.signers("env", "main")[.timestamp]?.first)
            let old = try await key(.timestamp, fixture)
            try await fixture.publisher.changeKeys(
                "env", "main",
                [.add(.timestamp, .generate(), name: "new", isOnline: true), .remove(.timestamp, old.id)])
            #expect(
                try await fixture.keys.signers("env", "main")[.timestamp]?.contains { $0.key == stolen.key }
                    == false)
            let device = try await fixture.device()
            try await device.update()
            let bytes = try #require(try await fixture.repository.metadata("env", "main", "timestamp.json"))
            let good = try Signed<TimestampRole>(bytes: bytes).content
            var forged = good
            forged.header.version += 1
            let evil = try Signed(forged, signers: [stolen])
            try await fixture.database.write {
                _ = try $0.execute(
                    "UPDATE hub_metadata SET bytes = ? WHERE name = 'timestamp.json'", [.blob(evil.bytes)])
            }
            await #expect(throws: TrustError.self) { try await device.update() }
        }
    }

    @Test func `with root keys in files, a new root needs two of the three keys`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.content.createSource("env", id: "main", name: "Main")
            let files = (0..<3).map { _ in TrustKeyPair.generate() }
            try await fixture.publisher.createKeys("env", "main", root: files, threshold: 2)
            try await fixture.add(.hub, "home", HubDraft(title: "Home", channels: ["news"]))
            try await fixture.add(.channel, "news", HubDraft(title: "News"))
            try await fixture.publisher.publish("env", "main", by: "test")
            let device = try await fixture.device()
            #expect(try await device.update().index.version == 1)
            let change: [HubKeyChange] = [.add(.timestamp, .generate(), name: "n", isOnline: true)]
            for few in [[], [files[0]]] {
                await #expect(throws: Problem.self) {
                    try await fixture.publisher.changeKeys("env", "main", change, rootKeys: few)
                }
            }
            #expect(try await fixture.content.source("env", "main")?.rootVersion == 1)
            try await fixture.publisher.changeKeys("env", "main", change, rootKeys: [files[0], files[2]])
            try await device.update()
            #expect(
                try await fixture.keys.keys("env", "main").filter { $0.role == .root }.allSatisfy {
                    !$0.isOnline
                })
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `rotating one root key keeps the others and the threshold, and the new root meets both thresholds`(
        engine: SQLEngine
    ) async throws {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.content.createSource("env", id: "main", name: "Main")
            let files = (0..<3).map { _ in TrustKeyPair.generate() }
            try await fixture.publisher.createKeys("env", "main", root: files, threshold: 2)
            try await fixture.add(.hub, "home", HubDraft(title: "Home", channels: ["news"]))
            try await fixture.add(.channel, "news", HubDraft(title: "News"))
            try await fixture.publisher.publish("env", "main", by: "test")
            let device = try await fixture.device()
            try await device.update()
            let fresh = TrustKeyPair.generate(.ecdsaP256)
            func rotate(_ id: String?, with present: [TrustKeyPair]) async throws {
                try await fixture.publisher.changeKeys(
                    "env", "main", [.replace(.root, id, fresh, name: "new", isOnline: false)],
                    rootKeys: present)
            }
            // With several keys the id is required; and one old key with the new one misses the old threshold.
            await #expect(throws: Problem.self) { try await rotate(nil, with: files) }
            await #expect(throws: Problem.self) {
                try await rotate(files[1].key.id, with: [files[0], fresh])
            }
            #expect(try await fixture.content.source("env", "main")?.rootVersion == 1)
            // Without the lost private key, the two others reach the threshold of the old root and of the new one.
            try await rotate(String(files[1].key.id.prefix(12)), with: [files[0], files[2]])
            let root = try Signed<RootRole>(
                bytes: #require(try await fixture.repository.metadata("env", "main", "2.root.json"))
            ).content.keys(of: .root)
            #expect(root.threshold == 2)
            #expect(Set(root.keyIDs) == Set([files[0], files[2], fresh].map(\.key.id)))
            #expect(try await device.update().index.version == 1)
            // The lost key no longer counts: with it and only one of the others, no root can be signed.
            await #expect(throws: Problem.self) {
                try await fixture.publisher.changeKeys("env", "main", [], rootKeys: [files[0], files[1]])
            }
            try await fixture.publisher.changeKeys("env", "main", [], rootKeys: [files[0], fresh])
            // A key can be removed only while the threshold of keys stays.
            try await fixture.publisher.changeKeys(
                "env", "main", [.remove(.root, files[0].key.id)], rootKeys: [files[0], files[2], fresh])
            await #expect(throws: Problem.self) {
                try await fixture.publisher.changeKeys(
                    "env", "main", [.remove(.root, files[2].key.id)], rootKeys: [files[2], fresh])
            }
            try await device.update()
        }
    }

    @Test func `keys can be made before there is content, so that an app can be built with them`()
        async throws
    {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.content.createSource("env", id: "main", name: "Main")
            try await fixture.publisher.createKeys("env", "main", kind: .ecdsaP256)
            let anchor = try await fixture.publisher.anchor("env", "main")
            let key = try P256.Signing.PublicKey(derRepresentation: anchor.publicDER)
            let root = try Signed<RootRole>(bytes: anchor.root)
            let signature = try P256.Signing.ECDSASignature(
                derRepresentation: #require(root.signatures.first).value)
            #expect(key.isValidSignature(signature, for: root.signedBytes))
            await #expect(throws: Problem.self) { try await fixture.publisher.createKeys("env", "main") }
            try await fixture.add(.hub, "home", HubDraft(title: "Home", channels: ["news"]))
            try await fixture.add(.channel, "news", HubDraft(title: "News"))
            try await fixture.publisher.publish("env", "main", by: "test")
            #expect(try await fixture.publisher.anchor("env", "main") == anchor)
            try await fixture.device().update()
        }
    }

    @Test func `the database alone does not give a private key away, nor one source's key to another`()
        async throws
    {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            try await fixture.publisher.publish("env", "main", by: "test")
            let pair = try #require(try await fixture.keys.signers("env", "main")[.targets]?.first)
            let sealed = try await fixture.database.read {
                try $0.rows("SELECT sealed FROM hub_keys").map { try $0.blob("sealed") }
            }
            #expect(sealed.count == 4)
            #expect(sealed.allSatisfy { $0.range(of: pair.rawPrivateKey) == nil })
            try await fixture.content.createSource("env", id: "other", name: "Other")
            try await fixture.database.write {
                _ = try $0.execute("UPDATE hub_keys SET source_id = 'other'")
            }
            await #expect(throws: Problem.self) { try await fixture.keys.signers("env", "other") }
        }
    }

    @Test func `the last key of a role cannot be taken out`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            try await fixture.publisher.publish("env", "main", by: "test")
            for role in TopLevelRole.allCases {
                let last = try await key(role, fixture)
                await #expect(throws: Problem.self) {
                    try await fixture.publisher.changeKeys("env", "main", [.remove(role, last.id)])
                }
            }
            try await fixture.device().update()
        }
    }

    @Test func `the content secret is made once, for its owner only`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("secret-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("content.secret").path
        let box = SecretBox(file: path)
        box.allowSecretCreation()
        let sealed = try box.seal(Data("x".utf8), for: "a")
        #expect(try SecretBox(file: path).unseal(sealed, for: "a") == Data("x".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(throws: Problem.self) { try SecretBox(file: path).unseal(sealed, for: "b") }
    }

    @Test func `a content secret that is lost after something was sealed is an error, and is not made again`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("secret-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("content.secret").path
        let box = SecretBox(file: path), text = Data("x".utf8)
        #expect(throws: Problem.self) { try box.seal(text, for: "a") }
        #expect(!FileManager.default.fileExists(atPath: path), "Nobody said that nothing was sealed before.")
        box.allowSecretCreation()
        #expect(throws: Problem.self) { try box.unseal(Data(repeating: 1, count: 40), for: "a") }
        #expect(!FileManager.default.fileExists(atPath: path), "Nothing is opened with a new one.")
        let sealed = try box.seal(text, for: "a")
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: Problem.self) { try box.unseal(sealed, for: "a") }
        #expect(throws: Problem.self) { try box.seal(text, for: "a") }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
