import Crypto
import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The bearer tokens of accounts, applications and devices: a prefix, 256 random bits, and a checksum of six
/// characters.
///
/// The prefix lets a secret scanner find a leaked token; the checksum refuses mistyped tokens without a database
/// query.
enum OpaqueToken {
    static let access = AccountSession.accessPrefix
    static let refresh = AccountSession.refreshPrefix
    static let application = "iat_"
    static let device = "ind_"
    private static let checksumLength = 6
    private static let bodyLength = 43

    static func make(_ prefix: String) -> String {
        let text = prefix + Secret.random(bytes: 32)
        return text + checksum(text)
    }

    static func isWellFormed(_ token: String, _ prefix: String) -> Bool {
        guard token.hasPrefix(prefix),
            token.utf8.count == prefix.utf8.count + bodyLength + checksumLength
        else { return false }
        let text = String(token.dropLast(checksumLength))
        return Secret.equal(checksum(text), String(token.suffix(checksumLength)))
    }

    private static func checksum(_ text: String) -> String {
        String(Secret.base64URL(Data(SHA256.hash(data: Data(text.utf8)))).prefix(checksumLength))
    }
}
