import Foundation
import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The route `POST /oauth/token`: the refresh-token grant of RFC 6749, section 6.
struct OAuthRoute: Sendable {
    static let bodyLimit = 16 << 10

    let store: OAuthStore
    let attempts: CallerLimiter

    private struct TokenResponse: Encodable {
        let access_token: String
        let token_type = "bearer"
        let refresh_token: String
        let expires_in: Int64
    }

    private struct TokenRequest {
        let clientID: OAuthClientID
        let secret: String
        let refreshToken: String
    }

    func respond(_ request: Request, _ context: ServerContext) async throws -> Response {
        let basic = Self.basic(request.headers[.authorization])
        do {
            let tokenRequest = try await Self.tokenRequest(request, basic)
            return try await grant(tokenRequest, context.callerAddress)
        } catch let error as OAuthError {
            return try error.response(basic: basic != nil)
        }
    }

    private func grant(_ request: TokenRequest, _ caller: CallerAddress) async throws -> Response {
        try attempts.checkOAuth(request.clientID, from: caller)
        do {
            let grant = try await store.grant(
                clientID: request.clientID, secret: request.secret, refreshToken: request.refreshToken)
            let answer = TokenResponse(
                access_token: grant.accessToken, refresh_token: request.refreshToken,
                expires_in: grant.life.components.seconds)
            return try Response.json(answer, headers: [.pragma: "no-cache"])
        } catch let error as OAuthError {
            attempts.countOAuthFailure(request.clientID, from: caller)
            throw error
        }
    }

    private static func tokenRequest(
        _ request: Request, _ basic: (String, String)?
    ) async throws -> TokenRequest {
        let fields = try await fields(request)
        guard let kind = fields["grant_type"] else {
            throw OAuthError.invalidRequest("grant_type is missing.")
        }
        guard kind == "refresh_token" else { throw OAuthError.unsupportedGrant }
        guard let clientID = basic?.0 ?? fields["client_id"] else {
            throw OAuthError.invalidRequest("client_id is missing.")
        }
        guard let secret = basic?.1 ?? fields["client_secret"] else {
            throw OAuthError.invalidRequest("client_secret is missing.")
        }
        guard let token = fields["refresh_token"] else {
            throw OAuthError.invalidRequest("refresh_token is missing.")
        }
        let texts = [clientID, secret, token]
        guard texts.allSatisfy({ $0.utf8.count <= 256 && !$0.utf8.contains(0) }) else {
            throw OAuthError.invalidRequest("A field is too long.")
        }
        return TokenRequest(clientID: OAuthClientID(clientID), secret: secret, refreshToken: token)
    }

    private static func fields(_ request: Request) async throws -> FormFields {
        guard request.isForm else {
            throw OAuthError.invalidRequest("Send application/x-www-form-urlencoded.", status: 415)
        }
        do {
            return try FormFields(encoded: String(buffer: try await request.bytes(limit: bodyLimit)))
        } catch let problem as Problem where problem.code == .malformedBody {
            throw OAuthError.invalidRequest("The body is not a form.")
        }
    }

    /// Returns the client's id and secret from `Authorization: Basic`, which may replace the two fields of the form.
    private static func basic(_ header: String?) -> (String, String)? {
        guard let header, header.lowercased().hasPrefix("basic "),
            let bytes = Data(base64Encoded: header.dropFirst(6).trimmingCharacters(in: .whitespaces))
        else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        // RFC 6749, 2.3.1: both parts are form-encoded before they are joined.
        return (
            parts[0].removingPercentEncoding ?? String(parts[0]),
            parts[1].removingPercentEncoding ?? String(parts[1])
        )
    }
}

extension CallerLimiter {
    /// Throws 429 after too many wrong credentials from this network, for this client or for all clients. Clients in
    /// other networks are not affected.
    func checkOAuth(_ clientID: OAuthClientID, from caller: CallerAddress) throws {
        try check(.oauthFailuresPerClient, from: caller, about: Self.subject(clientID))
        try check(.oauthFailures, from: caller)
    }

    /// Counts an attempt with wrong credentials.
    func countOAuthFailure(_ clientID: OAuthClientID, from caller: CallerAddress) {
        count(.oauthFailuresPerClient, from: caller, about: Self.subject(clientID))
        count(.oauthFailures, from: caller)
    }

    /// Returns a client's id, cut to limit the memory for ids that a caller invents.
    private static func subject(_ clientID: OAuthClientID) -> String { clientID.rawValue.prefix(scalars: 64) }
}

extension Request {
    /// Whether the content type is that of a form.
    var isForm: Bool { mediaType == "application/x-www-form-urlencoded" }

    /// The body's media type without parameters, in lower case.
    var mediaType: String {
        (headers[.contentType] ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }
}
