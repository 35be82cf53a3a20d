import Foundation
@_spi(Inlay) import InlayWire
import JWTKit

/// Verifies an app's token: form, algorithm, signature, then claims, in this order.
///
/// Nothing is said about the claims of a token that our key did not sign.
struct TokenVerifier: Sendable {
    /// The maximum difference between the clocks of the token's issuer and of this server for `nbf` and `iat`.
    static let leeway: Duration = .seconds(30)
    private static let longest = 16_384

    /// The user and end of life of a token that is in order.
    struct Verified: Sendable {
        let userID: UserID
        let expiresAt: Timestamp
    }

    func verify(_ token: String, with keys: VerificationKeys, at now: Timestamp) throws -> Verified {
        guard token.utf8.count <= Self.longest else { throw Problem.tokenMalformed("It is too long.") }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw Problem.tokenMalformed("It does not have three parts.") }
        let header = try part(parts[0], "header")
        let algorithm = try algorithm(header, keys.rules)
        guard header["crit"] == nil else { throw Problem.tokenMalformed("It needs an extension (crit).") }
        guard let signature = Self.bytes(parts[2]) else {
            throw Problem.tokenMalformed("Its signature is not base64url.")
        }
        let signed = Data(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        let candidates = keys.candidates(algorithm, kid: header["kid"]?.string)
        guard candidates.contains(where: { (try? $0.verifier.verify(signature, signs: signed)) == true })
        else {
            throw Problem.tokenWrongKey
        }
        return try check(try part(parts[1], "payload"), keys.rules, now)
    }

    private func part(_ text: Substring, _ name: String) throws -> JSONValue {
        guard let bytes = Self.bytes(text),
            let value = try? JSONDecoder().decode(JSONValue.self, from: bytes),
            case .object = value
        else { throw Problem.tokenMalformed("Its \(name) is not a JSON object in base64url.") }
        return value
    }

    private func algorithm(_ header: JSONValue, _ rules: TokenRules) throws -> TokenAlgorithm {
        guard let name = header["alg"]?.string, let algorithm = TokenAlgorithm(rawValue: name),
            rules.algorithms.contains(algorithm)
        else { throw Problem.tokenWrongAlgorithm(rules.algorithms) }
        return algorithm
    }

    private func check(_ claims: JSONValue, _ rules: TokenRules, _ now: Timestamp) throws -> Verified {
        guard let expiresAt = Self.moment(claims["exp"]) else { throw Problem.tokenNeverExpires }
        guard now < expiresAt else { throw Problem.tokenExpired }
        let issuedAt = Self.moment(claims["iat"])
        for start in [Self.moment(claims["nbf"]), issuedAt].compactMap(\.self) where start > now + Self.leeway
        {
            throw Problem.tokenNotYetValid
        }
        // A token dated ahead must not gain life by it, hence the earlier of the two.
        guard expiresAt - min(issuedAt ?? now, now) <= rules.maximumLife else {
            throw Problem.tokenTooLongLived(rules.maximumLife)
        }
        if let issuer = rules.issuer, claims["iss"]?.string != issuer {
            throw Problem.tokenWrongAudience("iss")
        }
        if let audience = rules.audience, !Self.names(claims["aud"], audience) {
            throw Problem.tokenWrongAudience("aud")
        }
        return Verified(userID: try userID(claims, rules), expiresAt: expiresAt)
    }

    private func userID(_ claims: JSONValue, _ rules: TokenRules) throws -> UserID {
        let text: String? =
            switch claims[rules.userClaim] {
            case .string(let text): text
            case .integer(let number): String(number)
            default: nil
            }
        guard let text, Limits.userID(text) else { throw Problem.tokenNoUser(rules.userClaim) }
        return UserID(text)
    }

    private static func names(_ claim: JSONValue?, _ audience: String) -> Bool {
        switch claim {
        case .string(let text): text == audience
        case .array(let values): values.contains { $0.string == audience }
        default: false
        }
    }

    private static func moment(_ claim: JSONValue?) -> Timestamp? {
        switch claim {
        case .integer(let seconds): Timestamp(seconds: Double(seconds))
        case .number(let seconds): Timestamp(seconds: seconds)
        default: nil
        }
    }

    /// Base64url without padding, strictly: one token has one spelling.
    private static func bytes(_ text: Substring) -> Data? {
        guard text.utf8.allSatisfy({ $0 != 43 && $0 != 47 && $0 != 61 }), text.utf8.count % 4 != 1 else {
            return nil
        }
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: standard + padding)
    }
}
