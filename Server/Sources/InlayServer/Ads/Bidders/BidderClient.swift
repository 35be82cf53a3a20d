import AsyncHTTPClient
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1

/// Sends bid requests over connections that are kept, and reads answers under limits.
///
/// An answer is counted as it comes and again while it is unpacked, so neither a flood nor a small body that
/// unpacks into a large one takes more memory than the limit.
final class BidderClient: Sendable {
    /// What a bidder said.
    enum Answer: Sendable {
        /// No bid: 204, or an empty body.
        case none
        /// A body of 200.
        case body(ByteBuffer)
        /// Anything that counts against the bidder.
        case failure(Failure)
    }

    /// How a bidder failed.
    enum Failure: String, Sendable, CaseIterable {
        case timeout
        case connection
        case status
        case tooLarge = "too-large"
        case unreadable
    }

    private enum State {
        /// Nobody was asked yet: a server that is made for a command alone never opens connections.
        case idle
        case open(HTTPClient)
        case closed
    }

    private let state = NIOLockedValueBox(State.idle)

    /// Asks one bidder until the deadline.
    func ask(_ endpoint: String, _ body: ByteBuffer, until deadline: NIODeadline) async -> Answer {
        var request = HTTPClientRequest(url: endpoint)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Accept-Encoding", value: "gzip")
        request.headers.add(name: "x-openrtb-version", value: OpenRTB.version)
        request.body = .bytes(body)
        guard let client = client() else { return .failure(.connection) }
        do {
            let response = try await client.execute(request, deadline: deadline)
            switch response.status {
            case .noContent: return .none
            case .ok: return try await read(response)
            default: return .failure(.status)
            }
        } catch let error as HTTPClientError where Self.isTimeout(error) {
            return .failure(.timeout)
        } catch is NIOTooManyBytesError {
            return .failure(.tooLarge)
        } catch {
            return .failure(.connection)
        }
    }

    /// Ends the connections; whoever asks later gets no answer.
    func close() async {
        let last = state.withLockedValue { state in
            defer { state = .closed }
            return state
        }
        if case .open(let client) = last { try? await client.shutdown() }
    }

    private func client() -> HTTPClient? {
        state.withLockedValue { state in
            switch state {
            case .open(let client): return client
            case .closed: return nil
            case .idle:
                let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: Self.configuration)
                state = .open(client)
                return client
            }
        }
    }

    private static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(2)
        configuration.connectionPool.idleTimeout = .seconds(60)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        // Retried by itself a request could be bid on twice, and later than its deadline.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    private func read(_ response: HTTPClientResponse) async throws -> Answer {
        if let length = response.headers.first(name: "Content-Length").flatMap({ Int($0) }),
            length > OpenRTB.answerBytes
        {
            return .failure(.tooLarge)
        }
        let body = try await response.body.collect(upTo: OpenRTB.answerBytes)
        guard body.readableBytes > 0 else { return .none }
        switch response.headers.first(name: "Content-Encoding")?.lowercased() {
        case nil, "identity": return .body(body)
        case "gzip", "x-gzip": return Self.unpacked(body)
        default: return .failure(.unreadable)
        }
    }

    private static func unpacked(_ body: ByteBuffer) -> Answer {
        switch Gunzip.unpack(body, limit: OpenRTB.answerBytes) {
        case .success(let whole): .body(whole)
        case .failure(.tooLarge): .failure(.tooLarge)
        case .failure(.damaged): .failure(.unreadable)
        }
    }

    private static func isTimeout(_ error: HTTPClientError) -> Bool {
        error == .deadlineExceeded || error == .readTimeout || error == .connectTimeout
            || error == .getConnectionFromPoolTimeout || error == .writeTimeout
    }
}
