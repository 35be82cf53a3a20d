import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// An error response of the token endpoint (RFC 6749, section 5.2).
struct OAuthError: Error, Hashable, Codable {
    let error: String
    let description: String
    /// The HTTP status; not in the body.
    var status = 400

    private enum CodingKeys: String, CodingKey {
        case error
        case description = "error_description"
    }

    static let invalidClient = OAuthError(
        error: "invalid_client", description: "The client is unknown or its secret is wrong.", status: 401)
    static let invalidGrant = OAuthError(
        error: "invalid_grant", description: "The refresh token is not this client's.")
    static let unsupportedGrant = OAuthError(
        error: "unsupported_grant_type", description: "Only refresh_token is given.")

    static func invalidRequest(_ description: String, status: Int = 400) -> OAuthError {
        OAuthError(error: "invalid_request", description: description, status: status)
    }

    /// Returns the response. With `basic`, because the client used HTTP Basic, a 401 names that scheme.
    func response(basic: Bool = false) throws -> Response {
        var headers: HTTPFields = [.pragma: "no-cache"]
        if status == 401, basic { headers[.wwwAuthenticate] = "Basic realm=\"Inlay\"" }
        return try Response.json(self, status: .init(code: status), headers: headers)
    }
}

extension HTTPField.Name {
    // A literal of a valid token, so the failable initializer cannot fail.
    static let pragma = HTTPField.Name("Pragma")!
}
