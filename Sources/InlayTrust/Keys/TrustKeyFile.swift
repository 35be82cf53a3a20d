import Crypto
public import Foundation

/// A private key in a file that only its owner can read, sealed with a passphrase when there is one.
@_spi(Inlay) public enum TrustKeyFile {
    /// The number of hash iterations of the passphrase in new files: about a second, so that guessing is expensive.
    static let iterations = 600_000

    private static let format = "inlay-content-key-1"

    /// Writes a new file with permissions 0600.
    ///
    /// Throws `policy` when there is a file already: a lost root key cannot be made again.
    public static func write(_ pair: TrustKeyPair, to file: URL, passphrase: String? = nil) throws(TrustError)
    {
        try write(pair, to: file, passphrase: passphrase, iterations: iterations)
    }

    static func write(_ pair: TrustKeyPair, to file: URL, passphrase: String?, iterations: Int)
        throws(TrustError)
    {
        guard !FileManager.default.fileExists(atPath: file.path) else {
            throw TrustError(
                .policy, "there is a file already, and a key is never written over", file: file.path)
        }
        do {
            let bytes = try encode(pair, passphrase: passphrase, iterations: iterations)
            try DurableFile.write(bytes, to: file, permissions: 0o600)
        } catch { throw TrustError(.storage, "\(error)", file: file.path) }
    }

    /// Reads a file that `write` made.
    ///
    /// Throws `policy` when others than the owner may read it, or the passphrase is missing or wrong.
    public static func read(_ file: URL, passphrase: String? = nil) throws(TrustError) -> TrustKeyPair {
        let bytes: Data
        let permissions: Int?
        do {
            permissions =
                try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            bytes = try Data(contentsOf: file)
        } catch { throw TrustError(.storage, "\(error)", file: file.path) }
        guard let permissions, permissions & 0o077 == 0 else {
            throw TrustError(.policy, "others may read the key: chmod 600", file: file.path)
        }
        do throws(TrustError) {
            return try decode(bytes, passphrase: passphrase)
        } catch { throw error.about(file.path) }
    }

    private static func encode(_ pair: TrustKeyPair, passphrase: String?, iterations: Int) throws -> Data {
        var members: [TrustJSON.Member] = [
            .init("format", .string(format)), .init("kind", .string(pair.kind.rawValue)),
            .init("keyid", .string(pair.key.id)),
        ]
        if let passphrase {
            let salt = Data(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
            members += [
                .init("iterations", .integer(Int64(iterations))), .init("salt", .string(HexBytes.text(salt))),
            ]
            let key = PassphraseKey.derive(passphrase, salt: salt, iterations: iterations)
            // The members so far are authenticated with it: nobody can lower the iterations or swap the kind.
            let box = try AES.GCM.seal(
                pair.rawPrivateKey, using: key, authenticating: CanonicalJSON.data(.members(members)))
            members.append(.init("sealed", .string(HexBytes.text(box.combined ?? Data()))))
        } else {
            members.append(.init("private", .string(HexBytes.text(pair.rawPrivateKey))))
        }
        return ReadableJSON.data(.members(members)) + Data("\n".utf8)
    }

    private static func decode(_ bytes: Data, passphrase: String?) throws(TrustError) -> TrustKeyPair {
        let json = try TrustJSONParser.parse(bytes)
        guard try json.required("format").text("format") == format,
            let kind = TrustKeyPair.Kind(rawValue: try json.required("kind").text("kind"))
        else { throw TrustError(.format, "not a key file of this version") }
        let raw: Data?
        if let sealed = json["sealed"] {
            raw = try open(sealed.text("sealed"), json, passphrase)
        } else {
            raw = HexBytes.data(try json.required("private").text("private"))
        }
        guard let raw else { throw TrustError(.format, "the key is not hex") }
        let pair = try TrustKeyPair(kind, rawPrivateKey: raw)
        guard try json.required("keyid").text("keyid") == pair.key.id else {
            throw TrustError(.format, "the key is another one than the file says")
        }
        return pair
    }

    private static func open(_ sealed: String, _ json: TrustJSON, _ passphrase: String?) throws(TrustError)
        -> Data
    {
        guard let passphrase else { throw TrustError(.policy, "the key is sealed: a passphrase is needed") }
        let iterations = try json.required("iterations").whole("iterations", atLeast: 1)
        guard iterations <= 10_000_000, let salt = HexBytes.data(try json.required("salt").text("salt")),
            let bytes = HexBytes.data(sealed)
        else { throw TrustError(.format, "not a key file of this version") }
        let key = PassphraseKey.derive(passphrase, salt: salt, iterations: iterations)
        do {
            return try AES.GCM.open(
                AES.GCM.SealedBox(combined: bytes), using: key,
                authenticating: CanonicalJSON.data(.members(json.unknown(besides: ["sealed"]))))
        } catch { throw TrustError(.policy, "the passphrase is wrong, or the file was changed") }
    }
}

/// PBKDF2 with HMAC-SHA-256: one block, which is all a 256-bit key needs.
///
/// Made from swift-crypto's HMAC because its own key derivation is not on Apple's systems.
enum PassphraseKey {
    static func derive(_ passphrase: String, salt: Data, iterations: Int) -> SymmetricKey {
        let prf = HMAC<SHA256>(key: SymmetricKey(data: Data(passphrase.utf8)))
        var keyed = prf
        keyed.update(data: salt + Data([0, 0, 0, 1]))
        var link = Array(keyed.finalize())
        var sum = link
        for _ in 1..<max(iterations, 1) {
            // A copy of the keyed state: the passphrase is not hashed again each time.
            var next = prf
            next.update(data: link)
            link = Array(next.finalize())
            for index in sum.indices { sum[index] ^= link[index] }
        }
        return SymmetricKey(data: sum)
    }
}
