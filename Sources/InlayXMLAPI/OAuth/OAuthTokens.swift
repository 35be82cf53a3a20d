package import Foundation
public import InlayCore
@_spi(Inlay) import InlayWire

/// A source of access tokens, which it requests with a refresh token.
///
/// At most one request is in progress, however many callers wait for it. A token is returned once, because a caller
/// that requests another one has used it up or was refused with it.
package actor OAuthTokens {
    private struct TokenResponse: Decodable {
        var access_token: String
        var expires_in: Double?
    }

    private struct Refusal: Decodable { var error: String? }

    private let credentials: OAuthCredentials
    private let url: URL
    private let transport: any Transport
    private let lifetimes = Locked<[String: Duration]>([:])
    private var pendingRequest: Task<Result<String, OAuthError>, Never>?
    /// A token that arrived after its caller was cancelled, or that was prefetched.
    private var unused: String?
    /// The reason why the last request brought no token; `nil` after a success.
    package private(set) var lastError: OAuthError?

    /// Creates a source that requests `/oauth/token` below the server's address.
    package init(_ credentials: OAuthCredentials, server: URL, transport: any Transport) {
        self.credentials = credentials
        self.transport = transport
        url = server.appendingPathComponent("oauth/token")
    }

    /// Returns a new token; requests one unless an unused one is stored.
    package func token() async throws(OAuthError) -> String {
        if let unused {
            self.unused = nil
            return unused
        }
        let answer = await requestedToken()
        // A cancelled caller does not use the token, so the next caller gets it.
        if !Task.isCancelled { unused = nil }
        return try answer.get()
    }

    /// Requests a token for the next caller, unless an unused one is stored.
    package func prefetch() async throws(OAuthError) {
        guard unused == nil else { return }
        _ = try await requestedToken().get()
    }

    /// The lifetime of a token at its arrival; `nil` when the server did not state it.
    package nonisolated func lifetime(_ token: String) -> Duration? { lifetimes.withLock { $0[token] } }

    private func requestedToken() async -> Result<String, OAuthError> {
        if let pendingRequest { return await pendingRequest.value }
        let (transport, request, lifetimes) = (transport, request, lifetimes)
        // Ends with the transport's response or time-out, not with the caller: a cancelled caller will request a token
        // again, and the server limits the number of tokens per hour.
        let task = Task<Result<String, OAuthError>, Never> {
            do throws(OAuthError) {
                return .success(try await Self.requestToken(transport, request, lifetimes))
            } catch {
                return .failure(error)
            }
        }
        pendingRequest = task
        let answer = await task.value
        finish(answer)
        return answer
    }

    private func finish(_ answer: Result<String, OAuthError>) {
        // Every waiting caller gets here; only the first one stores the answer.
        guard pendingRequest != nil else { return }
        pendingRequest = nil
        switch answer {
        case .success(let token): (unused, lastError) = (token, nil)
        case .failure(let error): lastError = error
        }
    }

    private var request: TransportRequest {
        let fields = [
            ("client_id", credentials.clientID), ("client_secret", credentials.clientSecret),
            ("refresh_token", credentials.refreshToken), ("grant_type", "refresh_token"),
        ]
        let body = fields.map { name, value in
            name + "=" + String(decoding: FormEncoding.escaped(Data(value.utf8)), as: UTF8.self)
        }
        return TransportRequest(
            method: "POST", url: url,
            headers: [
                "Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json",
                InlayHeader.sdk: SDKIdentity.header,
            ], body: Data(body.joined(separator: "&").utf8), maximumResponseBytes: 64 << 10)
    }

    private static func requestToken(
        _ transport: any Transport, _ request: TransportRequest, _ lifetimes: Locked<[String: Duration]>
    ) async throws(OAuthError) -> String {
        let response: TransportResponse
        do throws(TransportError) { response = try await transport.send(request) } catch {
            throw .network(error)
        }
        guard (200..<300).contains(response.status) else {
            let refusal = try? JSONDecoder().decode(Refusal.self, from: response.body)
            throw .refused(status: response.status, code: (refusal?.error ?? "").prefix(scalars: 64))
        }
        guard let answer = try? JSONDecoder().decode(TokenResponse.self, from: response.body),
            !answer.access_token.isEmpty
        else { throw .unreadable }
        let seconds = answer.expires_in.map { min(max($0, 0), 1e9) }
        lifetimes.withLock { $0 = [answer.access_token: .seconds(seconds ?? 14_400)] }
        return answer.access_token
    }
}

/// The reason why there is no access token. Contains nothing of the credentials.
public enum OAuthError: Error, Hashable, Sendable {
    /// The server refused; the code is the server's, for example `invalid_client`.
    case refused(status: Int, code: String)
    /// No complete response arrived.
    case network(TransportError)
    /// The response has no access token.
    case unreadable
}

/// The credentials of an application, which a server exchanges for access tokens.
///
/// Store them on a server and not in an app, where anybody can read them. Their description is redacted.
public struct OAuthCredentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The application's public id.
    public var clientID: String
    /// The application's secret.
    public var clientSecret: String
    /// The token with which new access tokens are requested.
    public var refreshToken: String

    /// Creates credentials.
    public init(clientID: String, clientSecret: String, refreshToken: String) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.refreshToken = refreshToken
    }

    public var description: String { "OAuthCredentials" }

    // A log of a value that contains the credentials must not show them.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
