import Crypto
import Foundation
@_spi(Inlay) import InlayWire
@preconcurrency import JWTKit

/// A key's public keys, ready to verify: one for PEM, any number for a JWKS document.
struct VerificationKeys: Sendable {
    struct Entry: Sendable {
        let kid: String?
        let algorithm: TokenAlgorithm
        let verifier: any JWTAlgorithm
    }

    let rules: TokenRules
    let entries: [Entry]
    /// A new id each time the key is read, so that tokens verified with an older copy are verified again.
    let copyID = UUID()

    /// Creates the keys of new rules. Throws `invalid-value` for a PEM text with anything else than one public key in
    /// it, and when there is no key that can verify an accepted algorithm.
    init(new rules: TokenRules) async throws {
        try await self.init(rules) { try Self.publicKey($0).text }
    }

    /// Creates the keys of stored rules, which an older release may have accepted: a PEM text that is refused for new
    /// rules goes to the libraries as it is. Throws `invalid-value` when they find no key in it.
    init(stored rules: TokenRules) async throws {
        try await self.init(rules) { (try? Self.publicKey($0).text) ?? $0 }
    }

    private init(_ rules: TokenRules, _ read: (String) throws -> String) async throws {
        let text = rules.publicKey.trimmingCharacters(in: .whitespacesAndNewlines.union(["\u{FEFF}"]))
        let found = text.hasPrefix("{") ? try await Self.set(text) : try await Self.pem(read(text))
        entries = found.filter { rules.algorithms.contains($0.algorithm) }
        self.rules = rules
        guard !entries.isEmpty else {
            throw Problem.invalidValue("publicKey", "It holds no key for the accepted algorithms.")
        }
    }

    /// Returns the keys that may have signed a token with this header.
    ///
    /// A `kid` that the JWKS contains picks its key; an unknown one matches nothing. Without one every
    /// key of the algorithm is tried.
    func candidates(_ algorithm: TokenAlgorithm, kid: String?) -> [Entry] {
        let able = entries.filter { $0.algorithm == algorithm }
        guard let kid, able.contains(where: { $0.kid != nil }) else { return able }
        return able.filter { $0.kid == kid }
    }

    private static func pem(_ text: String) async throws -> [Entry] {
        let keys = JWTKeyCollection()
        let algorithm: TokenAlgorithm
        if let key = try? ES256PublicKey(pem: text) {
            await keys.add(ecdsa: key)
            algorithm = .es256
        } else if let key = try? EdDSA.PublicKey(pem: text) {
            await keys.add(eddsa: key)
            algorithm = .eddsa
        } else if let key = try? Insecure.RSA.PublicKey(pem: text) {
            await keys.add(rsa: key, digestAlgorithm: .sha256)
            algorithm = .rs256
        } else {
            throw refusal("It is no key of P-256, of RSA from 2048 bits or of Ed25519.")
        }
        return [Entry(kid: nil, algorithm: algorithm, verifier: try await keys.getKey())]
    }

    /// Returns the only public key in a PEM text; a text with a private key is refused whatever else is in it.
    private static func publicKey(_ text: String) throws -> PEMBlock {
        let blocks: [PEMBlock]
        do { blocks = try PEMBlock.blocks(of: text) } catch { throw refusal(error.description) }
        let keys = blocks.filter { ["PUBLIC KEY", "RSA PUBLIC KEY"].contains($0.label) }
        if blocks.contains(where: { $0.label.hasSuffix("PRIVATE KEY") }) {
            throw refusal("It holds a private key. Only its public half belongs here: openssl pkey -pubout.")
        }
        guard let key = keys.first else {
            if blocks.contains(where: { $0.label.hasSuffix("CERTIFICATE") }) {
                throw refusal("It is a certificate. Only its key belongs here: openssl x509 -pubkey -noout.")
            }
            throw refusal("It is PEM of another kind, \(blocks[0].label).")
        }
        guard keys.count == 1 else {
            throw refusal("It holds \(keys.count) public keys. Several keys go into a JWKS document.")
        }
        return key
    }

    private static func refusal(_ reason: String) -> Problem {
        Problem.invalidValue("publicKey", "A public key as PEM, or a JWKS document. \(reason)")
    }

    private static func set(_ text: String) async throws -> [Entry] {
        guard let document = try? JSONDecoder().decode(KeySet.self, from: Data(text.utf8)) else {
            throw refusal("It begins like a JWKS document, and is none.")
        }
        var entries: [Entry] = []
        for key in document.keys.elements {
            guard let algorithm = key.algorithm, let entry = try? await entry(key, algorithm) else {
                continue
            }
            entries.append(entry)
        }
        return entries
    }

    private static func entry(_ key: PublicKeyDocument, _ algorithm: TokenAlgorithm) async throws -> Entry {
        let keys = JWTKeyCollection()
        switch algorithm {
        case .es256: await keys.add(ecdsa: try ES256PublicKey(parameters: (key.x ?? "", key.y ?? "")))
        case .eddsa: await keys.add(eddsa: try EdDSA.PublicKey(x: key.x ?? "", curve: .ed25519))
        case .rs256:
            let rsa = try Insecure.RSA.PublicKey(modulus: key.n ?? "", exponent: key.e ?? "")
            await keys.add(rsa: rsa, digestAlgorithm: .sha256)
        }
        return Entry(kid: key.kid, algorithm: algorithm, verifier: try await keys.getKey())
    }
}

/// A JWKS document; keys of other kinds are skipped.
private struct KeySet: Decodable {
    let keys: LossyArray<PublicKeyDocument>
}

/// The public part of a JWK. Only public fields are read, so a private key pasted by mistake is not used.
private struct PublicKeyDocument: Decodable {
    let kty: String
    let kid: String?
    let alg: String?
    let use: String?
    let crv: String?
    let x: String?
    let y: String?
    let n: String?
    let e: String?

    /// The algorithm that the key verifies, from its kind and curve; `alg` may only confirm it.
    var algorithm: TokenAlgorithm? {
        let kind: TokenAlgorithm? =
            switch (kty, crv) {
            case ("EC", "P-256"): .es256
            case ("OKP", "Ed25519"): .eddsa
            case ("RSA", _): .rs256
            default: nil
            }
        guard use == nil || use == "sig", alg == nil || alg == kind?.rawValue else { return nil }
        return kind
    }
}
