import Crypto
import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The signed query of the callback that informs an app's server of a reward.
///
/// The transaction id is the impression's id: a reward that is sent twice has the same query, and the app's
/// server grants it once. The signature covers every byte of the query before `&signature=`.
struct AdRewardQuery: Sendable {
    let impression: AdImpression
    let reward: AdUnit.Reward
    let earnedAt: Timestamp

    /// The names of the parameters that the query sets itself.
    static let names: Set<String> = [
        "ad_unit", "reward_amount", "reward_currency", "timestamp", "transaction_id", "user_id", "key_id",
        "signature",
    ]

    /// Returns the complete URL. Parameters in the callback URL of the unit are kept and signed too.
    func url(signedBy key: AdKey) throws -> String {
        let fields = [
            ("ad_unit", impression.unitID.rawValue), ("reward_amount", String(reward.amount)),
            ("reward_currency", reward.currency), ("timestamp", String(earnedAt.microseconds / 1_000)),
            ("transaction_id", impression.id.rawValue), ("user_id", impression.userID.rawValue),
            ("key_id", key.id),
        ]
        let text = fields.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
        // Encoded as the client sends it, because the signature covers the bytes that are sent.
        let address = WebAddress.escaped(reward.callbackURL).prefix { $0 != "#" }
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count == 2 && !parts[1].isEmpty ? "\(parts[1])&\(text)" : text
        let signer = try Curve25519.Signing.PrivateKey(rawRepresentation: key.secret)
        let signature = try signer.signature(for: Data(query.utf8))
        return "\(parts[0])?\(query)&signature=\(Secret.base64URL(signature))"
    }
}

/// The verification that an app's server makes of a reward callback. Used by tests and as an example.
package enum AdRewardCheck {
    /// Whether one of the keys signed this query. An app's server must check afterwards that the transaction
    /// id is new, so that it grants a reward once.
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
