import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayTrust

/// The files of private keys.
@Suite struct KeyFileTests {
    @Test(arguments: TrustKeyPair.Kind.allCases, [nil, "correct horse"])
    func `a key comes back from its file`(kind: TrustKeyPair.Kind, passphrase: String?) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("root.key")
        let pair = TrustKeyPair.generate(kind)
        try TrustKeyFile.write(pair, to: file, passphrase: passphrase, iterations: 1_000)
        #expect(try TrustKeyFile.read(file, passphrase: passphrase).key == pair.key)
        let permissions =
            try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        let isUnencrypted = try Data(contentsOf: file).utf8Text.contains(
            pair.rawPrivateKey.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
        #expect(isUnencrypted == (passphrase == nil))
    }

    @Test func `a sealed key opens only with its passphrase and unchanged`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("root.key")
        try TrustKeyFile.write(.generate(), to: file, passphrase: "right", iterations: 1_000)
        for wrong in ["wrong", "", nil] {
            let error = #expect(throws: TrustError.self) { try TrustKeyFile.read(file, passphrase: wrong) }
            #expect(error?.threat == .policy)
        }
        let text = try Data(contentsOf: file).utf8Text
        for change in [("\"iterations\":1000", "\"iterations\":1001"), ("ed25519", "ecdsa-sha2-nistp256")] {
            let other = folder.url.appendingPathComponent(UUID().uuidString)
            try DurableFile.write(
                Data(text.replacingOccurrences(of: change.0, with: change.1).utf8), to: other,
                permissions: 0o600)
            #expect(throws: TrustError.self) { try TrustKeyFile.read(other, passphrase: "right") }
        }
    }

    @Test func `a key file is not overwritten, and is refused when other users may read it`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("root.key")
        try TrustKeyFile.write(.generate(), to: file)
        let before = try Data(contentsOf: file)
        #expect(throws: TrustError.self) { try TrustKeyFile.write(.generate(), to: file) }
        #expect(try Data(contentsOf: file) == before)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        let error = #expect(throws: TrustError.self) { try TrustKeyFile.read(file) }
        #expect(error?.threat == .policy)
    }

    @Test func `files that are no key files are refused`() throws {
        let folder = try TemporaryFolder()
        for text in [
            "", "{}", "-----BEGIN PRIVATE KEY-----", #"{"format":"inlay-content-key-1","kind":"dsa"}"#,
        ] {
            let file = folder.url.appendingPathComponent(UUID().uuidString)
            try DurableFile.write(Data(text.utf8), to: file, permissions: 0o600)
            #expect(throws: TrustError.self) { try TrustKeyFile.read(file) }
        }
        #expect(throws: TrustError.self) { try TrustKeyFile.read(folder.url.appendingPathComponent("none")) }
    }

    @Test func `a passphrase's key matches the published PBKDF2 vectors`() {
        // PBKDF2-HMAC-SHA-256 of "password" and "salt", 1 and 4096 rounds: published vectors.
        let vectors = [
            (1, "120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b"),
            (4096, "c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a"),
        ]
        for (iterations, hex) in vectors {
            let key = PassphraseKey.derive("password", salt: Data("salt".utf8), iterations: iterations)
            #expect(key.withUnsafeBytes { HexBytes.text($0) } == hex)
        }
    }
}
