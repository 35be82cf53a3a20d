import Crypto
package import Foundation
import InlayServerCore
@_spi(Inlay) package import InlayTrust
@_spi(Inlay) package import InlayWire

/// A key of a content source for lists, without its private half.
package struct HubKey: Hashable, Sendable, Identifiable {
    /// The role that the key signs.
    package let role: TopLevelRole
    /// The id in the metadata, a hash of the public half.
    package let id: String
    /// The name that operators see.
    package let name: String
    package let kind: TrustKeyPair.Kind
    /// The public half as DER (SubjectPublicKeyInfo) in base64. Apps contain the DER as `pubkey.der`.
    package let publicDER: String
    /// Whether the server stores the private half. Otherwise it is in an operator's file, or lost.
    package let isOnline: Bool
    package let createdAt: Timestamp
    /// The time at which the key was removed from its role.
    package let retiredAt: Timestamp?
}

extension TrustKeyPair {
    /// The public half as SubjectPublicKeyInfo in DER.
    package var publicDER: Data {
        get throws {
            switch kind {
            case .ecdsaP256:
                try P256.Signing.PrivateKey(rawRepresentation: rawPrivateKey).publicKey.derRepresentation
            case .ed25519:
                Data([0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00])
                    + (try Curve25519.Signing.PrivateKey(rawRepresentation: rawPrivateKey).publicKey
                        .rawRepresentation)
            }
        }
    }

    /// The text of a key file: the kind, a space, and the bytes of the private key in base64.
    package var fileText: String { "\(kind.rawValue) \(rawPrivateKey.base64EncodedString())\n" }

    /// Reads the text of a key file. Throws `invalid-value`.
    package init(fileText: String) throws {
        let parts = fileText.split(whereSeparator: \.isWhitespace)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])),
            let bytes = Data(base64Encoded: String(parts[1]))
        else { throw Problem.invalidValue("key", "A line with the kind of key and its bytes in base64.") }
        try self.init(kind, rawPrivateKey: bytes)
    }
}
