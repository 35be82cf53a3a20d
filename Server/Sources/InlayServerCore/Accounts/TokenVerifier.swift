import Foundation
@_spi(Inlay) import InlayWire
import JWTKit

/// A verifier of apps' tokens: it checks form, algorithm, signature, then claims, in this order.
///
/// No error reveals anything about the claims of a token that our key did not sign.
struct TokenVerifier: Sendable {
    /// The maximum difference between the clocks of the token's issuer and of this server for `nbf` and `iat`.
    static let leeway: Duration = .seconds(30)

    /// The user and the expiry of a verified token.
    struct Verified: Sendable {
        let userID: UserID
        let expiresAt: Timestamp
    }

    func verify(_ token: String, with keys: VerificationKeys, at now: Timestamp) throws -> Verified {
        guard token.utf8.count <= TokenPart.maximumTokenBytes else {
            throw Problem.tokenMalformed("It is too long.")
        }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw Problem.tokenMalformed("It does not have three parts.") }
        let header = try part(parts[0], "header")
        let algorithm = try algorithm(header, keys.rules)
        guard header["crit"] == nil else { throw Problem.tokenMalformed("It needs an extension (crit).") }
        guard let signature = Data(base64URL: parts[2]) else {
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

    private func part(_ text: Substring, _ name: String) throws -> TokenPart {
        guard let part = TokenPart(base64URL: text) else {
            throw Problem.tokenMalformed("Its \(name) is not a JSON object in base64url.")
        }
        return part
    }

    private func algorithm(_ header: TokenPart, _ rules: TokenRules) throws -> TokenAlgorithm {
        guard let name = header["alg"]?.string, let algorithm = TokenAlgorithm(rawValue: name),
            rules.algorithms.contains(algorithm)
        else { throw Problem.tokenWrongAlgorithm(rules.algorithms) }
        return algorithm
    }

    private func check(_ claims: TokenPart, _ rules: TokenRules, _ now: Timestamp) throws -> Verified {
        guard let expiresAt = try? claims.moment("exp") else { throw Problem.tokenNeverExpires }
        guard now < expiresAt else { throw Problem.tokenExpired }
        let issuedAt = try moment(claims, "iat")
        for start in [try moment(claims, "nbf"), issuedAt].compactMap(\.self) where start > now + Self.leeway
        {
            throw Problem.tokenNotYetValid
        }
        // The earlier of the two, so that a token with an `iat` in the future does not live longer for it.
        guard expiresAt - min(issuedAt ?? now, now) <= rules.maximumLife else {
            throw Problem.tokenTooLongLived(rules.maximumLife)
        }
        if let issuer = rules.issuer, claims["iss"]?.string != issuer {
            throw Problem.tokenWrongAudience("iss")
        }
        if let audience = rules.audience, !claims.isMeant(for: audience) {
            throw Problem.tokenWrongAudience("aud")
        }
        guard let userID = claims.userID(rules.userClaim) else { throw Problem.tokenNoUser(rules.userClaim) }
        return Verified(userID: UserID(userID), expiresAt: expiresAt)
    }

    private func moment(_ claims: TokenPart, _ claim: String) throws -> Timestamp? {
        do {
            return try claims.moment(claim)
        } catch {
            throw Problem.tokenUnreadableMoment(error.claim)
        }
    }
}
