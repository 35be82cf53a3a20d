import Crypto
import Foundation

/// A public key ready to verify; one case for each scheme this version knows.
enum KeyVerifier {
    case ed25519(Curve25519.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case rsa(RSAVerifier)

    /// Creates a verifier; `nil` when the scheme is unknown, or the key is not one of its kind.
    init?(type: String, scheme: String, publicValue: String) {
        switch scheme {
        case "ed25519":
            guard type == "ed25519", let raw = HexBytes.data(publicValue), !Ed25519Point.isSmallOrder(raw),
                let key = try? Curve25519.Signing.PublicKey(rawRepresentation: raw)
            else { return nil }
            self = .ed25519(key)
        case "ecdsa-sha2-nistp256":
            guard type == "ecdsa" || type == scheme, let key = Self.p256(publicValue) else { return nil }
            self = .p256(key)
        case "ecdsa-sha2-nistp384":
            guard type == "ecdsa" || type == scheme,
                let key = try? P384.Signing.PublicKey(pemRepresentation: publicValue)
            else { return nil }
            self = .p384(key)
        case "rsassa-pss-sha256":
            guard type == "rsa", let key = RSAVerifier(pem: publicValue) else { return nil }
            self = .rsa(key)
        default: return nil
        }
    }

    func verifies(_ signature: Data, _ bytes: Data) -> Bool {
        switch self {
        case .ed25519(let key): return key.isValidSignature(signature, for: bytes)
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else {
                return false
            }
            return key.isValidSignature(signature, for: bytes)
        case .p384(let key):
            guard let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature) else {
                return false
            }
            return key.isValidSignature(signature, for: bytes)
        case .rsa(let key): return key.verifies(signature, bytes)
        }
    }

    var material: Data {
        switch self {
        case .ed25519(let key): key.rawRepresentation
        case .p256(let key): key.x963Representation
        case .p384(let key): key.x963Representation
        case .rsa(let key): key.material
        }
    }

    /// Reads PEM, or the bare point in hex as some older publishers write it.
    private static func p256(_ text: String) -> P256.Signing.PublicKey? {
        if let key = try? P256.Signing.PublicKey(pemRepresentation: text) { return key }
        return HexBytes.data(text).flatMap { try? P256.Signing.PublicKey(x963Representation: $0) }
    }
}
