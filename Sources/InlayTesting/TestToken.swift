public import Crypto
import Foundation
import InlayCore
@_spi(Inlay) public import InlayWire

/// The creation of app tokens for tests.
public enum TestToken {
    /// Returns an unsigned token; when `expires` is `nil`, without the `exp` claim.
    public static func unsigned(
        subject: String = "user-1", expires: Timestamp?, claims: [String: JSONValue] = [:]
    ) -> String {
        content(["alg": "none", "typ": "JWT"], subject, expires, claims) + "."
    }

    /// Returns a token signed with ES256.
    public static func es256(
        subject: String = "user-1", expires: Timestamp?, claims: [String: JSONValue] = [:],
        key: P256.Signing.PrivateKey, keyID: String? = nil
    ) throws -> String {
        var header: [String: JSONValue] = ["alg": "ES256", "typ": "JWT"]
        header["kid"] = keyID.map { .string($0) }
        let text = content(header, subject, expires, claims)
        let signature = try key.signature(for: Data(text.utf8))
        return text + "." + signature.rawRepresentation.base64URL
    }

    private static func content(
        _ header: [String: JSONValue], _ subject: String, _ expires: Timestamp?, _ claims: [String: JSONValue]
    ) -> String {
        var claims = claims
        claims["sub"] = claims["sub"] ?? .string(subject)
        if let expires { claims["exp"] = .integer(Int64(expires.seconds.rounded(.down))) }
        return [header, claims].map(base64URL(json:)).joined(separator: ".")
    }

    private static func base64URL(json: [String: JSONValue]) -> String {
        // Sorted, so that equal claims give equal tokens.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // A dictionary of JSON values always encodes.
        return ((try? encoder.encode(json)) ?? Data()).base64URL
    }
}
