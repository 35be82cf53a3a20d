import Foundation
public import InlayCore
import InlayWire

/// Gets access tokens with a refresh token, again and again.
///
/// One question is under way at most, however many wait for it. A token is handed out once: who asks
/// again has used it up, or was refused with it.
public actor OAuthTokens {
    private struct Answer: Decodable {
        var access_token: String
        var expires_in: Double?
    }

    private struct Refusal: Decodable { var error: String? }

    private let credentials: OAuthCredentials
    private let url: URL
    private let transport: any Transport
    private let lifetimes = Locked<[String: Duration]>([:])
    private var question: Task<Result<String, OAuthError>, Never>?
    /// A token that came too late for whoever asked.
    private var unused: String?
    /// Why there was no token the last time.
    public private(set) var lastError: OAuthError?

    /// Tokens of a server; `/oauth/token` is asked below its address.
    public init(_ credentials: OAuthCredentials, server: URL, transport: any Transport) {
        self.credentials = credentials
        self.transport = transport
        url = server.appendingPathComponent("oauth/token")
    }

    /// A new token; asks the server unless one that nobody took is there.
    public func token() async throws(OAuthError) -> String {
        if let unused {
            self.unused = nil
            return unused
        }
        let answer = await asked()
        // Who was cancelled gave up waiting; the token is left for the next one.
        if !Task.isCancelled { unused = nil }
        return try answer.get()
    }

    /// Asks for a token that the next caller gets without asking, unless there is one already.
    public func prefetch() async throws(OAuthError) {
        guard unused == nil else { return }
        _ = try await asked().get()
    }

    /// How long a token lived when it came; `nil` when the server did not say.
    public nonisolated func lifetime(_ token: String) -> Duration? { lifetimes.withLock { $0[token] } }

    private func asked() async -> Result<String, OAuthError> {
        if let question { return await question.value }
        let (transport, request, lifetimes) = (transport, request, lifetimes)
        // Ends with the transport's answer or time-out. Not with the caller: who gave up waiting will
        // ask again, and the server limits how many tokens it gives in an hour.
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
        // Every waiter comes by here; the first one notes.
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
        guard let answer = try? JSONDecoder().decode(Answer.self, from: response.body),
            !answer.access_token.isEmpty
        else { throw .unreadable }
        let seconds = answer.expires_in.map { min(max($0, 0), 1e9) }
        lifetimes.withLock { $0 = [answer.access_token: .seconds(seconds ?? 14_400)] }
        return answer.access_token
    }
}
