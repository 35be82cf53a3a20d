package import Foundation
public import InlayCore
@_spi(Inlay) import InlayWire

/// Gets access tokens with a refresh token, again and again.
///
/// One question is under way at most, however many wait for it. A token is handed out once: who asks
/// again has used it up, or was refused with it.
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
    private var question: Task<Result<String, OAuthError>, Never>?
    /// A token that arrived after its caller was cancelled, or that was prefetched.
    private var unused: String?
    /// The reason why there was no token the last time.
    package private(set) var lastError: OAuthError?

    /// Tokens of a server; `/oauth/token` is asked below its address.
    package init(_ credentials: OAuthCredentials, server: URL, transport: any Transport) {
        self.credentials = credentials
        self.transport = transport
        url = server.appendingPathComponent("oauth/token")
    }

    /// A new token; asks the server unless one that nobody took is there.
    package func token() async throws(OAuthError) -> String {
        if let unused {
            self.unused = nil
            return unused
        }
        let answer = await asked()
        // A cancelled caller does not use the token, so the next caller gets it.
        if !Task.isCancelled { unused = nil }
        return try answer.get()
    }

    /// Asks for a token that the next caller gets without asking, unless there is one already.
    package func prefetch() async throws(OAuthError) {
        guard unused == nil else { return }
        _ = try await asked().get()
    }

    /// The lifetime of a token at its arrival; `nil` when the server did not state it.
    package nonisolated func lifetime(_ token: String) -> Duration? { lifetimes.withLock { $0[token] } }

    private func asked() async -> Result<String, OAuthError> {
        if let question { return await question.value }
        let (transport, request, lifetimes) = (transport, request, lifetimes)
        // Ends with the transport's answer or time-out. Not with the caller: a cancelled caller will ask
        // again, and the server limits how many tokens it gives in an hour.
        let asked = Task<Result<String, OAuthError>, Never> {
            do throws(OAuthError) { return .success(try await Self.ask(transport, request, lifetimes)) } catch
            {
                return .failure(error)
            }
        }
        question = asked
        let answer = await asked.value
        note(answer)
        return answer
    }

    private func note(_ answer: Result<String, OAuthError>) {
        // Every waiting caller gets here; only the first one stores the answer.
        guard question != nil else { return }
        question = nil
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

    private static func ask(
        _ transport: any Transport, _ request: TransportRequest, _ lifetimes: Locked<[String: Duration]>
    ) async throws(OAuthError) -> String {
        let response: TransportResponse
        do throws(TransportError) { response = try await transport.send(request) } catch {
            throw .network(error)
        }
        guard (200..<300).contains(response.status) else {
            let refusal = try? JSONDecoder().decode(Refusal.self, from: response.body)
            throw .refused(status: response.status, code: String((refusal?.error ?? "").prefix(64)))
        }
        guard let answer = try? JSONDecoder().decode(TokenResponse.self, from: response.body),
            !answer.access_token.isEmpty
        else { throw .unreadable }
        let seconds = answer.expires_in.map { min(max($0, 0), 1e9) }
        lifetimes.withLock { $0 = [answer.access_token: .seconds(seconds ?? 14_400)] }
        return answer.access_token
    }
}

/// The reason why there is no access token. Holds nothing of the credentials.
public enum OAuthError: Error, Hashable, Sendable {
    /// The server said no; the code is its own, for example `invalid_client`.
    case refused(status: Int, code: String)
    /// No whole answer came.
    case network(TransportError)
    /// The answer has no access token.
    case unreadable
}

/// The credentials of an application, which a server exchanges for access tokens.
///
/// They belong on a server and not into an app, where anybody can read them. Their description is redacted.
public struct OAuthCredentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The application's public id.
    public var clientID: String
    /// The application's secret.
    public var clientSecret: String
    /// The token that new access tokens are requested with.
    public var refreshToken: String

    /// Credentials as the server's owner gave them.
    public init(clientID: String, clientSecret: String, refreshToken: String) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.refreshToken = refreshToken
    }

    public var description: String { "OAuthCredentials" }

    // A log of whatever holds this value must not show what is in it.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
