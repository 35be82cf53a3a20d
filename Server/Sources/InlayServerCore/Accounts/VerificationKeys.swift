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
    /// Differs for every reading of a key, so that what was verified with an older one counts no more.
    let reading = UUID()

    /// Throws `invalid-value` when there is no key that can verify an accepted algorithm.
    init(_ rules: TokenRules) async throws {
        let text = rules.publicKey.trimmingCharacters(in: .whitespacesAndNewlines)
        let found = text.hasPrefix("{") ? try await Self.set(text) : try await Self.pem(text)
        entries = found.filter { rules.algorithms.contains($0.algorithm) }
        self.rules = rules
        guard !entries.isEmpty else {
            throw Problem.invalidValue("publicKey", "It holds no key for the accepted algorithms.")
        }
    }

    /// The keys that may have signed a token with this header.
    ///
    /// A `kid` that the document names picks its key; an unknown one matches nothing. Without one every
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
            throw Problem.invalidValue(
                "publicKey", "A public key as PEM (P-256, RSA from 2048 bits, Ed25519) or a JWKS document.")
        }
        return [Entry(kid: nil, algorithm: algorithm, verifier: try await keys.getKey())]
    }

    private static func set(_ text: String) async throws -> [Entry] {
        guard let document = try? JSONDecoder().decode(KeySet.self, from: Data(text.utf8)) else {
            throw Problem.invalidValue("publicKey", "It is neither PEM nor a JWKS document.")
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
    let keys: Tolerant<PublicKeyDocument>
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

    /// The algorithm that it verifies, from its kind and curve; `alg` may only confirm it.
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
