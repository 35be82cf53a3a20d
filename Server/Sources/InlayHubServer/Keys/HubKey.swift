import Crypto
package import Foundation
import InlayServerCore
@_spi(Inlay) package import InlayTrust
@_spi(Inlay) package import InlayWire

/// A key of a content source, as lists show it; never with its secret.
package struct HubKey: Hashable, Sendable, Identifiable {
    /// The role that it signs.
    package let role: TopLevelRole
    /// Its id in the metadata: a hash.
    package let id: String
    /// As people call it.
    package let name: String
    package let kind: TrustKeyPair.Kind
    /// The public half as DER (SubjectPublicKeyInfo) in base64; what an app carries as `pubkey.der`.
    package let publicDER: String
    /// Whether the server holds the private half; else it is in an operator's file.
    package let isOnline: Bool
    package let createdAt: Timestamp
    /// The time at which it was taken out of its role.
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

    /// The private key as a file holds it: its kind, a blank, and its bytes in base64.
    package var fileText: String { "\(kind.rawValue) \(rawPrivateKey.base64EncodedString())\n" }

    /// The key of such a file.
    package init(fileText: String) throws {
        let parts = fileText.split(whereSeparator: \.isWhitespace)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])),
            let bytes = Data(base64Encoded: String(parts[1]))
        else { throw Problem.invalidValue("key", "A line with the kind of key and its bytes in base64.") }
        try self.init(kind, rawPrivateKey: bytes)
    }
}
