import Crypto
import Foundation
import InlayWire

/// The call that tells an app's server of a reward, with a signature over its whole query.
///
/// The transaction id is the impression's: the same reward told twice is the same text, and the app's
/// server gives it once. The signature covers every byte of the query before `&signature=`.
struct AdRewardQuery: Sendable {
    let impression: AdImpression
    let reward: AdUnit.Reward
    let at: Timestamp

    /// What the call says itself.
    static let names: Set<String> = [
        "ad_unit", "reward_amount", "reward_currency", "timestamp", "transaction_id", "user_id", "key_id",
        "signature",
    ]

    /// The whole address; what the callback's own query holds stays and is signed too.
    func url(signedBy key: AdKey) throws -> String {
        let fields = [
            ("ad_unit", impression.unitID), ("reward_amount", String(reward.amount)),
            ("reward_currency", reward.currency), ("timestamp", String(at.microseconds / 1_000)),
            ("transaction_id", impression.id), ("user_id", impression.userID), ("key_id", key.id),
        ]
        let text = fields.map { "\($0)=\(Self.escaped($1))" }.joined(separator: "&")
        let address = reward.callbackURL.prefix { $0 != "#" }
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count == 2 && !parts[1].isEmpty ? "\(parts[1])&\(text)" : text
        let signer = try Curve25519.Signing.PrivateKey(rawRepresentation: key.secret)
        let signature = try signer.signature(for: Data(query.utf8))
        return "\(parts[0])?\(query)&signature=\(Secret.base64URL(signature))"
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}

/// What an app's server does with a call: believe it or not. Here for tests and as an example.
package enum AdRewardCheck {
    /// Whether one of the keys signed this query. Look up the transaction id afterwards, to give a reward once.
    package static func isGenuine(query: String, keys: [String: String]) -> Bool {
        guard let range = query.range(of: "&signature=") else { return false }
        let signed = query[..<range.lowerBound]
        let fields = signed.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
        guard let keyID = fields.last(where: { $0.first == "key_id" })?.last,
            let text = keys[String(keyID)], let raw = Data(base64Encoded: text),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: raw),
            let signature = data(ofBase64URL: String(query[range.upperBound...]))
        else { return false }
        return key.isValidSignature(signature, for: Data(signed.utf8))
    }

    private static func data(ofBase64URL text: String) -> Data? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
