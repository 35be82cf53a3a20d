package import Foundation
@_spi(Inlay) package import InlayWire

/// A token of the app, as far as the SDK reads it. Only the server can verify it.
package struct AppToken: Hashable, Sendable {
    /// The token's text, as sent to the server.
    package let text: String
    /// The value of the user claim.
    package let subject: String
    /// The expiry time of the token; `nil` when the token states none.
    package let expires: Timestamp?

    /// Creates a token whose text the SDK does not parse.
    package init(opaque text: String, subject: String, expires: Timestamp?) throws(TokenError) {
        try Self.check(text)
        (self.text, self.subject, self.expires) = (text, subject, expires)
    }

    /// Reads the claims of a JWT without checking its signature; see ``TokenPart`` for the values that they may have.
    package init(_ text: String, userClaim: String) throws(TokenError) {
        try Self.check(text)
        guard text.utf8.count <= TokenPart.maximumTokenBytes else {
            throw .malformed("the token has more than \(TokenPart.maximumTokenBytes) bytes")
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let claims = TokenPart(base64URL: parts[1]) else {
            throw .malformed("not three base64url parts with a JSON object in the middle")
        }
        guard let subject = claims.userID(userClaim) else {
            throw .malformed("the claim `\(userClaim)` names no user: \(IDRule.inTokens)")
        }
        self.text = text
        self.subject = subject
        do {
            expires = try claims.moment("exp")
        } catch {
            throw .malformed("the claim `\(error.claim)` is no number of seconds")
        }
    }

    /// Whether the token is valid for at least `interval` more.
    package func isFresh(at now: Timestamp, interval: Duration) -> Bool {
        guard let expires else { return true }
        return expires - now >= interval
    }

    // A line break inside would end the header field that carries it.
    private static func check(_ text: String) throws(TokenError) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .malformed("the token holds characters that no token has")
        }
    }
}

extension Data {
    /// The bytes as base64url without padding.
    package var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
