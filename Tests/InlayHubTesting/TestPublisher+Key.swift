import Crypto
package import Foundation
@_spi(Inlay) package import InlayTrust

extension TestPublisher {
    /// Returns the public key of the first root as DER of its SubjectPublicKeyInfo.
    package func rootDER(_ kind: TrustKeyPair.Kind) -> Data? {
        guard let text = rootKey?.publicValue else { return nil }
        switch kind {
        case .ecdsaP256: return (try? P256.Signing.PublicKey(pemRepresentation: text))?.derRepresentation
        case .ed25519:
            let bytes = stride(from: 0, to: text.count, by: 2).compactMap { offset in
                UInt8(text.dropFirst(offset).prefix(2), radix: 16)
            }
            return Data([0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00] + bytes)
        }
    }
}
