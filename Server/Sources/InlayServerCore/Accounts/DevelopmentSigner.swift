import Crypto
import Foundation
@_spi(Inlay) package import InlayWire

/// A signer of users' tokens in place of an app's own server, for development, the demo and tests.
package struct DevelopmentSigner: Sendable {
    private let privateKey: P256.Signing.PrivateKey

    /// Creates a signer with a new key pair.
    package init() { privateKey = P256.Signing.PrivateKey() }

    /// Creates a signer with the key pair in a PEM text; throws ``ConfigurationError`` when the text is not a P-256
    /// private key in PEM.
    package init(pem: String) throws {
        // EC parameters may stand in front of the key. Errors never contain key material.
        let key = (try? PEMBlock.blocks(of: pem))?.first { $0.label.hasSuffix("PRIVATE KEY") }
        guard let key, let privateKey = try? P256.Signing.PrivateKey(pemRepresentation: key.text) else {
            throw ConfigurationError(description: "The development key is no P-256 private key in PEM.")
        }
        self.privateKey = privateKey
    }

    /// Creates a signer with the key pair in a PEM file; throws ``ConfigurationError`` that names the file.
    package init(path: String) throws { try self.init(pem: String(textFileAt: path)) }

    /// Returns a signer with the pair at this path, or with a new one that is written there, readable for its owner
    /// only.
    package static func make(at path: String) throws -> DevelopmentSigner {
        if FileManager.default.fileExists(atPath: path) {
            return try DevelopmentSigner(path: path)
        }
        let signer = DevelopmentSigner()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let isWritten = FileManager.default.createFile(
            atPath: path, contents: Data(signer.privateKeyPEM.utf8), attributes: [.posixPermissions: 0o600])
        guard isWritten else {
            throw ConfigurationError(description: "The file \(path) cannot be written.")
        }
        return signer
    }

    /// The public key for ``TokenRules/publicKey``.
    package var publicKeyPEM: String { privateKey.publicKey.pemRepresentation }

    /// The private key for ``init(pem:)``.
    package var privateKeyPEM: String { privateKey.pemRepresentation }

    /// Returns an ES256 token for a user.
    package func token(
        user: String, claim: String = "sub", issuer: String? = nil, audience: String? = nil,
        life: Duration = .seconds(3600), at now: Timestamp = .now()
    ) throws -> String {
        var claims: [String: JSONValue] = [
            claim: .string(user), "iat": .integer(Int64(now.seconds)),
            "exp": .integer(Int64((now + life).seconds)),
        ]
        claims["iss"] = issuer.map(JSONValue.string)
        claims["aud"] = audience.map(JSONValue.string)
        return try token(claims: claims)
    }

    /// Returns an ES256 token with these claims and no others.
    package func token(claims: [String: JSONValue], header: [String: JSONValue] = [:]) throws -> String {
        let header = header.merging(["alg": "ES256", "typ": "JWT"]) { given, _ in given }
        let signed = try [header, claims].map { Secret.base64URL(try JSONEncoder().encode($0)) }.joined(
            separator: ".")
        let signature = try privateKey.signature(for: Data(signed.utf8)).rawRepresentation
        return signed + "." + Secret.base64URL(signature)
    }
}
