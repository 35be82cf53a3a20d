package import Foundation
@_spi(Inlay) package import InlayWire

/// The client of the server's API: header fields, token, gate, clock and the reports of failures to the app.
package final class APIClient: Sendable {
    private let configuration: SessionConfiguration
    private let transport: GatedTransport
    private let tokens: TokenCache
    private let clock: any SessionClock
    private let serverClock: ServerClock
    private let state: SessionState
    private let events: SessionEvents
    private let log: DebugLog
    private let version: Locked<String>

    init(
        configuration: SessionConfiguration, transport: GatedTransport, tokens: TokenCache,
        clock: any SessionClock, serverClock: ServerClock, state: SessionState, events: SessionEvents,
        log: DebugLog
    ) {
        self.configuration = configuration
        self.transport = transport
        self.tokens = tokens
        self.clock = clock
        self.serverClock = serverClock
        self.state = state
        self.events = events
        self.log = log
        version = Locked(configuration.clientVersion)
    }

    /// The host app's version, at most 128 characters.
    package var clientVersion: String {
        get { version.withLock { $0 } }
        set { version.withLock { $0 = SessionConfiguration.trimmed(newValue) } }
    }

    package func get(
        _ path: String, query: [URLQueryItem] = [], timeout: Duration = .seconds(30)
    ) async throws(APIError) -> APIResponse {
        try await send(APICall("GET", path, query: query, timeout: timeout))
    }

    package func post(
        _ path: String, body: Data, timeout: Duration = .seconds(30)
    ) async throws(APIError) -> APIResponse {
        try await send(APICall("POST", path, body: body, timeout: timeout))
    }

    /// Sends a call with a valid token. A 401 leads to one new token and one more try.
    package func send(_ call: APICall) async throws(APIError) -> APIResponse {
        let token = try await token()
        let first = try await attempt(call, token)
        guard first.status == 401 else { return try judged(first, call) }
        log.detail("\(call.method) \(call.path): 401, asking for another token")
        return try judged(try await attempt(call, try await replacement(for: token)), call)
    }

    /// Opens the session's socket. A 401 leads to one new token and one more try.
    package func openSocket(timeout: Duration) async throws(APIError) -> any TransportSocket {
        let token = try await token()
        do {
            return try await attemptSocket(token, timeout)
        } catch {
            guard error.kind == .network(.upgradeRefused(status: 401)) else { throw error }
            return try await attemptSocket(try await replacement(for: token), timeout)
        }
    }

    /// Reports to the app that an API request failed, or that the socket failed and polling takes over.
    package func reportFailure(path: String, problem: Problem? = nil) {
        var properties: [String: JSONValue] = ["path": .string(path)]
        if let problem {
            properties["status"] = .integer(Int64(problem.status))
            properties["code"] = .string(problem.code.rawValue)
        }
        events.publish(SessionEvent(.requestFailed, time: serverClock.now(), properties: properties))
    }

    /// Returns the header fields that identify the app, and the user when a token is cached; for calls that need no
    /// user and must not wait for a token. Never asks the app for one.
    package func knownIdentification() async -> [String: String] {
        var headers = identification
        if let token = await tokens.cachedToken { headers["Authorization"] = "Bearer \(token.text)" }
        return headers
    }

    private func attempt(_ call: APICall, _ token: AppToken) async throws(APIError) -> TransportResponse {
        let request = try request(call, token)
        let sent = clock.now()
        log.operation("\(call.method) \(call.path)")
        do {
            let response = try await transport.send(request)
            learnTime(response, sent: sent)
            log.detail("\(call.method) \(call.path): \(response.status), \(response.body.count) bytes")
            return response
        } catch {
            log.operation("\(call.method) \(call.path) failed: \(error)")
            throw APIError(.network(error))
        }
    }

    private func attemptSocket(
        _ token: AppToken, _ timeout: Duration
    ) async throws(APIError) -> any TransportSocket {
        let request = try request(APICall("GET", InlayPath.socket, timeout: timeout), token)
        log.operation("open socket")
        do {
            return try await transport.openSocket(request)
        } catch {
            log.operation("open socket failed: \(error)")
            throw APIError(.network(error))
        }
    }

    private func request(_ call: APICall, _ token: AppToken) throws(APIError) -> TransportRequest {
        guard state.current != .ended else { throw APIError(.loggedOut) }
        guard let url = call.url(below: configuration.baseURL) else {
            throw APIError(.network(.unsupported("no address for \(call.path)")))
        }
        var headers = call.headers.merging(identification) { $1 }
        headers["Authorization"] = "Bearer \(token.text)"
        headers["Accept"] = "application/json"
        if call.body != nil { headers["Content-Type"] = call.contentType }
        return TransportRequest(
            method: call.method, url: url, headers: headers, body: call.body, timeout: call.timeout)
    }

    private var identification: [String: String] {
        var headers = [InlayHeader.sdk: SDKIdentity.header, InlayHeader.clientVersion: clientVersion]
        if configuration.opaqueTokens?.standAlone != true {
            headers[InlayHeader.environment] = configuration.environmentID
            headers[InlayHeader.apiKey] = configuration.apiKey
        }
        return headers
    }

    private func learnTime(_ response: TransportResponse, sent: Timestamp) {
        guard let text = response.headers[InlayHeader.serverTime.lowercased()], let micros = Int64(text)
        else { return }
        serverClock.learn(Timestamp(microseconds: micros), sent: sent, received: clock.now())
    }

    private func judged(_ response: TransportResponse, _ call: APICall) throws(APIError) -> APIResponse {
        if (200..<300).contains(response.status) || response.status == 304 {
            return APIResponse(status: response.status, body: response.body)
        }
        let problem = Self.problem(of: response)
        log.operation("\(call.method) \(call.path) refused: \(response.status) \(problem.code.rawValue)")
        reportFailure(path: call.path, problem: problem)
        let wait = RetryAfter.parse(response.headers["retry-after"], now: serverClock.now())
        throw APIError(.refused(problem), retryAfter: wait)
    }

    // The status line of the response counts, whatever the body says.
    private static func problem(of response: TransportResponse) -> Problem {
        guard var problem = try? JSONDecoder().decode(Problem.self, from: response.body) else {
            return Problem(
                .foreignAnswer, status: response.status,
                title: "Status \(response.status) without a problem document")
        }
        problem.status = response.status
        return problem
    }

    private func token() async throws(APIError) -> AppToken {
        do { return try await tokens.token() } catch { throw APIError(Self.kind(error)) }
    }

    private func replacement(for token: AppToken) async throws(APIError) -> AppToken {
        do { return try await tokens.replacement(for: token) } catch { throw APIError(Self.kind(error)) }
    }

    private static func kind(_ error: TokenError) -> APIError.Kind {
        error == .loggedOut ? .loggedOut : .noToken(error)
    }
}

/// The `Retry-After` header field: seconds or an HTTP date.
enum RetryAfter {
    /// The maximum time for which a server can silence the SDK.
    static let maximum = Duration.seconds(24 * 3600)

    /// Returns the time to wait from `now`, between 0 and 24 hours; `nil` when the text is unreadable.
    static func parse(_ text: String?, now: Timestamp) -> Duration? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number that does not fit into 64 bits counts as the maximum.
            return .seconds(min(Int64(text) ?? .max, maximum.components.seconds))
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = format.date(from: text) else { return nil }
        return min(max(Timestamp(seconds: date.timeIntervalSince1970) - now, .zero), maximum)
    }
}

/// A successful response of the API, 2xx or 304.
package struct APIResponse: Sendable {
    package var status: Int
    package var body: Data

    /// Whether the caller's copy is still the newest.
    package var isNotModified: Bool { status == 304 }

    /// Decodes the JSON body; throws `invalidAnswer` when it does not match the type.
    package func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws(APIError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            throw APIError(.invalidAnswer(String(describing: error)))
        }
    }
}
