import Crypto
import Foundation

#if canImport(Security)
    import Security
#elseif canImport(CryptoExtras)
    import CryptoExtras
#endif

/// An RSA public key of another publisher, for PSS signatures with SHA-256. This SDK never creates RSA keys.
///
/// Uses the Security framework on Apple's systems, so that apps there contain no second cryptography.
struct RSAVerifier: Sendable {
    #if canImport(Security)
        // Security's keys are immutable.
        private nonisolated(unsafe) let key: SecKey
    #elseif canImport(CryptoExtras)
        private let key: _RSA.Signing.PublicKey
    #endif
    let material: Data

    /// Creates a key; `nil` unless the text is the PEM of an RSA key of at least 2,048 bits.
    init?(pem: String) {
        #if canImport(Security)
            guard let der = Self.der(pem) else { return nil }
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic,
            ]
            guard let key = SecKeyCreateWithData(der as CFData, attributes as CFDictionary, nil),
                SecKeyGetBlockSize(key) >= 256, let bytes = SecKeyCopyExternalRepresentation(key, nil)
            else { return nil }
            self.key = key
            material = bytes as Data
        #elseif canImport(CryptoExtras)
            guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: pem), key.keySizeInBits >= 2048
            else {
                return nil
            }
            self.key = key
            material = key.derRepresentation
        #else
            return nil
        #endif
    }

    func verifies(_ signature: Data, _ bytes: Data) -> Bool {
        #if canImport(Security)
            return SecKeyVerifySignature(
                key, .rsaSignatureMessagePSSSHA256, bytes as CFData, signature as CFData, nil)
        #elseif canImport(CryptoExtras)
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: bytes),
                padding: .PSS)
        #else
            return false
        #endif
    }

    #if canImport(Security)
        /// Returns the bytes between the PEM's first and last line.
        private static func der(_ pem: String) -> Data? {
            let lines = pem.split(whereSeparator: \.isNewline)
            guard lines.first == "-----BEGIN PUBLIC KEY-----", lines.last == "-----END PUBLIC KEY-----" else {
                return nil
            }
            return Data(base64Encoded: lines.dropFirst().dropLast().joined())
        }
    #endif
}
