import Crypto
import Foundation
import InlayWire

/// The random texts that speak for accounts and devices: a prefix, 256 random bits, and six letters that are
/// computed from both.
///
/// The prefix lets a scanner find one that leaked; the six letters tell a typing error, or a text that only
/// looks like one, without a question to the database.
enum OpaqueToken {
    static let access = AccountSession.accessPrefix
    static let refresh = AccountSession.refreshPrefix
    static let application = "iat_"
    static let device = "ind_"
    private static let checkLength = 6
    private static let bodyLength = 43

    static func make(_ prefix: String) -> String {
        let text = prefix + Secret.random(bytes: 32)
        return text + check(text)
    }

    static func isWellFormed(_ token: String, _ prefix: String) -> Bool {
        guard token.hasPrefix(prefix),
            token.utf8.count == prefix.utf8.count + bodyLength + checkLength
        else { return false }
        let text = String(token.dropLast(checkLength))
        return Secret.equal(check(text), String(token.suffix(checkLength)))
    }

    private static func check(_ text: String) -> String {
        String(Secret.base64URL(Data(SHA256.hash(data: Data(text.utf8)))).prefix(checkLength))
    }
}
