import Crypto
import Foundation
@_spi(Inlay) import InlayTrust

/// The check of the first root for an app that has only a public key.
enum HubRoot {
    /// Returns the key of a DER subject public key info as metadata writes it; `nil` for other kinds of key.
    static func publicValue(of der: Data) -> String? {
        // The one header that RFC 8410 allows for Ed25519.
        let ed25519 = Data([0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00])
        if der.count == 44, der.starts(with: ed25519) {
            return der.dropFirst(12).map { String(format: "%02x", $0) }.joined()
        }
        return (try? P256.Signing.PublicKey(derRepresentation: der))?.pemRepresentation
    }

    /// Throws unless the root lists the key for its own role and the key signed it.
    static func check(_ data: Data, signedBy der: Data) throws(TrustError) {
        guard let publicValue = publicValue(of: der) else {
            throw TrustError(.policy, "the app's public key is neither Ed25519 nor ECDSA P-256")
        }
        let root = try Signed<RootRole>(bytes: data)
        let wanted = trimmed(publicValue)
        let names = root.content.keys(of: .root).keyIDs
        let isSigned = root.content.keys.contains { key in
            names.contains(key.id) && trimmed(key.publicValue) == wanted
                && root.signatures.contains { signature in
                    signature.keyID == key.id && key.verifies(signature.value, over: root.signedBytes)
                }
        }
        guard isSigned else {
            throw TrustError(.signature, "the app's public key did not sign the first root", file: "root")
        }
    }

    private static func trimmed(_ text: String) -> String {
        text.lowercased().contains("begin")
            ? text.split(whereSeparator: \.isWhitespace).joined(separator: "\n") : text.lowercased()
    }
}
