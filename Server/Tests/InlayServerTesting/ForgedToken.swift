import Crypto
import Foundation
@_spi(Inlay) import InlayWire

@testable import InlayServerCore

/// Tokens with any header, claims and signature, and public keys as PEM and JWKS.
enum ForgedToken {
    static func make(
        _ algorithm: String, _ claims: [String: JSONValue], kid: String? = nil, sign: (Data) throws -> Data
    ) throws -> String {
        var header: [String: JSONValue] = ["alg": .string(algorithm)]
        header["kid"] = kid.map(JSONValue.string)
        let signed = try [header, claims].map { Secret.base64URL(try JSONEncoder().encode($0)) }.joined(
            separator: ".")
        return signed + "." + Secret.base64URL(try sign(Data(signed.utf8)))
    }

    /// Returns an Ed25519 key as SubjectPublicKeyInfo (RFC 8410).
    static func pem(_ key: Curve25519.Signing.PublicKey) -> String {
        let prefix = Data([0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00])
        return
            "-----BEGIN PUBLIC KEY-----\n\((prefix + key.rawRepresentation).base64EncodedString())\n-----END PUBLIC KEY-----"
    }

    /// Returns a JWKS of P-256 keys by their ids, with another key of an unknown type.
    static func jwks(_ keys: [String: P256.Signing.PrivateKey]) -> String {
        let jwkList = keys.map { id, key in
            let point = key.publicKey.rawRepresentation
            let x = Secret.base64URL(point.prefix(32)), y = Secret.base64URL(point.suffix(32))
            return #"{"kty":"EC","crv":"P-256","kid":"\#(id)","use":"sig","x":"\#(x)","y":"\#(y)"}"#
        }
        return #"{"keys":[{"kty":"new","kid":"z"},\#(jwkList.joined(separator: ","))]}"#
    }
}
