import Crypto
import CryptoExtras
import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// Public keys in PEM (RFC 7468), as they are given for an API key.
@Suite struct PEMTests {
    private static let key = P256.Signing.PrivateKey()
    private static let plain = key.publicKey.pemRepresentation

    /// Returns the text with each line changed and followed by `end`.
    private static func lines(
        _ text: String, end: String = "\n", _ change: (String) -> String = { $0 }
    ) -> String {
        text.split(separator: "\n").map { change(String($0)) + end }.joined()
    }

    /// Returns the key in PEM, with lines of `length` characters.
    private static func wrapped(_ length: Int) -> String {
        var rest = key.publicKey.derRepresentation.base64EncodedString()[...]
        var lines: [String] = []
        while !rest.isEmpty {
            lines.append(String(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return (["-----BEGIN PUBLIC KEY-----"] + lines + ["-----END PUBLIC KEY-----"]).joined(separator: "\n")
    }

    private static let bag = """
        Bag Attributes
            friendlyName: backend
            localKeyID: 54 69 6D 65
        Key Attributes: <No Attributes>

        """

    private static let parameters =
        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"

    static let taken: [String: String] = [
        "as libraries write it": plain, "words in front": "\(bag)\(plain)",
        "words behind": "\(plain)\nthe backend's\n",
        "blanks at the ends": lines(plain) { "\($0)  \t" }, "indented": lines(plain) { "    \($0)" },
        "CRLF": lines(plain, end: "\r\n"), "CR": lines(plain, end: "\r"), "a mark": "\u{FEFF}\(plain)",
        "a mark behind words": "\(bag)\u{FEFF}\(plain)", "empty lines": lines(plain, end: "\n\n"),
        "lines of 76": wrapped(76), "lines of 10": wrapped(10), "lines of 1": wrapped(1),
        "one long line": wrapped(10_000), "another kind in front": "\(parameters)\(plain)",
    ]

    @Test(arguments: taken.keys.sorted())
    func `a key is accepted with any text around it`(_ name: String) async throws {
        let text = try #require(Self.taken[name])
        let keys = try await VerificationKeys(new: TokenRules(publicKey: text))
        #expect(keys.entries.map(\.algorithm) == [.es256])
        #expect(try PEMBlock.blocks(of: text).last?.text == Self.wrapped(64) + "\n")
    }

    @Test func `keys of every algorithm are taken, and with the words of their tools`() async throws {
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey
        let ed = Curve25519.Signing.PrivateKey()
        for (text, algorithm) in [
            (rsa.pemRepresentation, TokenAlgorithm.rs256), (rsa.pkcs1PEMRepresentation, .rs256),
            (ForgedToken.pem(ed.publicKey), .eddsa),
        ] {
            let keys = try await VerificationKeys(new: TokenRules(publicKey: Self.bag + text))
            #expect(keys.entries.map(\.algorithm) == [algorithm])
        }
        let set = "\u{FEFF} " + ForgedToken.jwks(["one": Self.key])
        #expect(try await VerificationKeys(new: TokenRules(publicKey: set)).entries.count == 1)
    }

    private static let secret = key.pemRepresentation
    private static let other = P384.Signing.PrivateKey().publicKey.pemRepresentation

    /// Returns the public key in a block with another label.
    private static func labelled(_ label: String) -> String { plain.replacing("PUBLIC KEY", with: label) }

    static let refused: [(String, String)] = [
        (labelled("CERTIFICATE"), "It is a certificate"),
        ("\(bag)\(labelled("TRUSTED CERTIFICATE"))", "It is a certificate"),
        (secret, "It holds a private key"), ("\(plain)\n\(secret)", "It holds a private key"),
        (labelled("ENCRYPTED PRIVATE KEY"), "It holds a private key"),
        (lines(plain, end: ""), "all in one line"), (lines(plain, end: " "), "all in one line"),
        (lines(plain, end: "\\n"), "all in one line"),
        ("\(plain)\n\(wrapped(64))", "It holds 2 public keys"),
        (labelled("CERTIFICATE REQUEST"), "of another kind, CERTIFICATE REQUEST"),
        (String(plain.dropLast(20)), "The line -----END PUBLIC KEY----- is missing"),
        (plain.replacing("END PUBLIC", with: "END RSA PUBLIC"), "-----END PUBLIC KEY----- is missing"),
        (plain.replacing("-----BEGIN", with: "----BEGIN"), "There is no line -----BEGIN"),
        ("not a key", "There is no line -----BEGIN"), ("", "There is no line -----BEGIN"),
        ("-----BEGIN PUBLIC KEY-----\n%%%%\n-----END PUBLIC KEY-----", "It is no key of P-256"),
        (other, "It is no key of P-256"),
        ("{\"key\": []}", "It begins like a JWKS document"),
        (String(repeating: "-----BEGIN PUBLIC KEY-----\n", count: 2), "is missing"),
    ]

    @Test(arguments: refused.indices)
    func `a text that is no public key is refused with what it is instead, and none of it is shown`(
        _ index: Int
    ) async throws {
        let (text, words) = Self.refused[index]
        let error = await #expect(throws: Problem.self) {
            try await VerificationKeys(new: TokenRules(publicKey: text))
        }
        let detail = error?.detail ?? ""
        #expect(detail.contains(words), "\(detail)")
        #expect(!detail.contains(Self.secret.split(separator: "\n")[1]) && detail.count < 300)
    }

    @Test func `a development key is read as any PEM, and its error shows nothing of it`() throws {
        let text = "\u{FEFF}" + Self.bag + Self.parameters + Self.lines(Self.secret, end: " \r\n")
        #expect(try DevelopmentSigner(pem: text).publicKeyPEM == Self.plain)
        for bad in ["", Self.plain, Self.lines(Self.secret, end: "")] {
            let error = #expect(throws: ConfigurationError.self) { try DevelopmentSigner(pem: bad) }
            #expect(error?.description == "The development key is no P-256 private key in PEM.")
        }
    }
}
