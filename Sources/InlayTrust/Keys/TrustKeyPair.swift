import Crypto
public import Foundation

/// A private key and its public half, for the publishing side.
///
/// Has no description of its own on purpose: a secret must not reach a log by way of an interpolation.
@_spi(Inlay) public struct TrustKeyPair: TrustSigner {
    /// The kinds of key that can be made.
    public enum Kind: String, CaseIterable, Sendable {
        case ed25519
        case ecdsaP256 = "ecdsa-sha2-nistp256"
    }

    private enum Secret: Sendable {
        case ed25519(Curve25519.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
    }

    private let secret: Secret

    public let key: TrustKey

    /// The kind of key.
    public var kind: Kind {
        switch secret {
        case .ed25519: .ed25519
        case .p256: .ecdsaP256
        }
    }

    /// Returns a new key from the system's randomness.
    public static func generate(_ kind: Kind = .ed25519) -> TrustKeyPair {
        switch kind {
        case .ed25519: TrustKeyPair(.ed25519(Curve25519.Signing.PrivateKey()))
        case .ecdsaP256: TrustKeyPair(.p256(P256.Signing.PrivateKey()))
        }
    }

    /// Creates the pair from the 32 bytes of `rawPrivateKey`.
    public init(_ kind: Kind, rawPrivateKey: Data) throws(TrustError) {
        do {
            switch kind {
            case .ed25519: self.init(.ed25519(try .init(rawRepresentation: rawPrivateKey)))
            case .ecdsaP256: self.init(.p256(try .init(rawRepresentation: rawPrivateKey)))
            }
        } catch { throw TrustError(.format, "the bytes are no private key of \(kind.rawValue)") }
    }

    private init(_ secret: Secret) {
        self.secret = secret
        switch secret {
        case .ed25519(let key):
            self.key = TrustKey(
                type: "ed25519", scheme: "ed25519",
                publicValue: HexBytes.text(key.publicKey.rawRepresentation))
        case .p256(let key):
            // With the line break at the end, as the files of other tools have it: the key's name depends on it.
            let pem = key.publicKey.pemRepresentation
            self.key = TrustKey(
                type: "ecdsa", scheme: Kind.ecdsaP256.rawValue,
                publicValue: pem.hasSuffix("\n") ? pem : pem + "\n")
        }
    }

    /// The private key itself, 32 bytes: keep it where only the publisher can read it.
    public var rawPrivateKey: Data {
        switch secret {
        case .ed25519(let key): key.rawRepresentation
        case .p256(let key): key.rawRepresentation
        }
    }

    public func signature(over bytes: Data) throws -> Data {
        switch secret {
        case .ed25519(let key): try key.signature(for: bytes)
        case .p256(let key): try key.signature(for: bytes).derRepresentation
        }
    }
}
