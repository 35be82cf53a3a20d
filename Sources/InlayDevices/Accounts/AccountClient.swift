import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// A client for the server's account routes, which need no session, because they must work before a user is logged in.
struct AccountClient: Sendable {
    let dependencies: DeviceDependencies

    func post<Value: Decodable>(
        _ path: String, _ body: some Encodable, bearer: String? = nil, _ type: Value.Type
    ) async throws(AccountError) -> Value {
        let answer = try await send("POST", path, body: dependencies.body(body), bearer: bearer)
        return try Self.decoded(answer)
    }

    func send(
        _ method: String, _ path: String, body: Data? = nil, bearer: String? = nil
    ) async throws(AccountError) -> TransportResponse {
        guard dependencies.configuration.isComplete else { throw .applicationRefused }
        let answer: TransportResponse
        let sent = dependencies.clock.now()
        do { answer = try await dependencies.transport.send(request(method, path, body, bearer)) } catch {
            throw .network(error)
        }
        if let text = answer.headers[InlayHeader.serverTime.lowercased()], let micros = Int64(text) {
            dependencies.serverClock.learn(
                Timestamp(microseconds: micros), sent: sent, received: dependencies.clock.now())
        }
        guard (200..<300).contains(answer.status) else { throw Self.refusal(answer) }
        return answer
    }

    static func decoded<Value: Decodable>(_ answer: TransportResponse) throws(AccountError) -> Value {
        do { return try JSONDecoder().decode(Value.self, from: answer.body) } catch {
            // The decoding error itself is left out: it may quote the body, which has tokens.
            throw .unreadable("no \(Value.self)")
        }
    }

    private func request(
        _ method: String, _ path: String, _ body: Data?, _ bearer: String?
    ) throws(TransportError) -> TransportRequest {
        let session = dependencies.configuration.session
        guard let url = APICall(method, path).url(below: session.baseURL) else {
            throw .unsupported("no address for \(path)")
        }
        var headers = dependencies.applicationHeaders
        headers[InlayHeader.environment] = session.environmentID
        headers[InlayHeader.apiKey] = session.apiKey
        headers[InlayHeader.sdk] = SDKIdentity.header
        headers[InlayHeader.clientVersion] = session.clientVersion
        headers["Accept"] = "application/json"
        if let bearer { headers["Authorization"] = "Bearer \(bearer)" }
        if body != nil { headers["Content-Type"] = "application/json" }
        return TransportRequest(method: method, url: url, headers: headers, body: body)
    }

    private static func refusal(_ answer: TransportResponse) -> AccountError {
        var problem =
            (try? JSONDecoder().decode(Problem.self, from: answer.body))
            ?? Problem(
                .foreignAnswer, status: answer.status,
                title: "Status \(answer.status) without a problem document")
        problem.status = answer.status
        let wait = answer.headers["retry-after"].flatMap { Int64($0) }.map {
            Duration.seconds(min(max($0, 0), 86_400))
        }
        return AccountError(problem, retryAfter: wait)
    }
}
