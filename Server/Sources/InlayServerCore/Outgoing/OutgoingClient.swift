import AsyncHTTPClient
import NIOConcurrencyHelpers
package import NIOCore
import NIOHTTP1

/// Sends requests to addresses that others chose: bidders, notices, rewards.
///
/// A host is resolved here, every address of it is checked by the guard, and the connection goes to an address that was
/// checked. One deadline covers the lookup, the connection, the head, the body and the unpacking. Bodies are limited
/// before and after they are unpacked. Redirects are not followed.
package final class OutgoingClient: Sendable {
    private let lookups: HostLookups
    private let hosts: NIOLockedValueBox<OutgoingHosts>

    /// A client. `connections` is how many it keeps to one host at once.
    package init(_ addressGuard: AddressGuard, connections: Int = 8, maximumHosts: Int = 256) {
        lookups = HostLookups(limit: .seconds(3), resolve: addressGuard.addresses)
        hosts = NIOLockedValueBox(OutgoingHosts(connections: connections, maximumHosts: maximumHosts))
    }

    /// Sends a request once and returns the response, whatever its status. `sender` is on whose behalf: nobody has
    /// more than a few lookups under way.
    package func send(
        _ request: OutgoingRequest, for sender: String, until deadline: NIODeadline
    ) async throws(OutgoingFailure) -> OutgoingResponse {
        guard let host = AddressGuard.host(of: request.url) else { throw .invalidURL }
        let result: Result<OutgoingResponse, OutgoingFailure>
        do {
            let response = try await Deadline.run(until: deadline) { [self] in
                let connection = try await connection(to: host, for: sender)
                defer { leave(connection) }
                return try await exchange(request, on: connection.client, until: deadline)
            }
            // Unpacking takes time, and nothing stops it.
            result = NIODeadline.now() < deadline ? .success(response) : .failure(.timeout)
        } catch {
            result = .failure(OutgoingFailure(error))
        }
        return try result.get()
    }

    /// Ends all connections; later requests fail.
    package func close() async {
        let clients = hosts.withLockedValue { $0.close() }
        for client in clients { try? await client.shutdown() }
    }

    // MARK: The connection

    /// A connection to an address of the host that was checked lately, with one more request on it.
    private func connection(to host: String, for sender: String) async throws -> OutgoingHosts.Use {
        let key = OutgoingHosts.Key(host: host, sender: sender)
        if let known = try hosts.withLockedValue({ try $0.enter(key) }) { return known }
        let addresses = try await lookups.addresses(of: host, for: sender)
        let (entered, over) = try hosts.withLockedValue { try $0.enter(key, at: addresses) }
        shutDown(over)
        return entered
    }

    private func leave(_ use: OutgoingHosts.Use) {
        shutDown(hosts.withLockedValue { $0.leave(use) }.map { [$0] } ?? [])
    }

    private func shutDown(_ clients: [HTTPClient]) {
        for client in clients {
            // Ends at once: nothing is under way.
            Task { try? await client.shutdown() }
        }
    }

    // MARK: The exchange

    private func exchange(
        _ request: OutgoingRequest, on client: HTTPClient, until deadline: NIODeadline
    ) async throws -> OutgoingResponse {
        var outgoing = HTTPClientRequest(url: request.url)
        (outgoing.method, outgoing.headers) = (request.method, request.headers)
        if request.maximumBodySize > 0 { outgoing.headers.add(name: "Accept-Encoding", value: "gzip") }
        outgoing.body = request.body.map { .bytes($0) }
        let response = try await client.execute(outgoing, deadline: deadline)
        let status = Int(response.status.code)
        guard request.maximumBodySize > 0 else { return OutgoingResponse(status: status, body: ByteBuffer()) }
        let body = try await Self.body(of: response, limit: request.maximumBodySize)
        return OutgoingResponse(status: status, body: body)
    }

    private static func body(of response: HTTPClientResponse, limit: Int) async throws -> ByteBuffer {
        let length = response.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        guard length <= limit else { throw OutgoingFailure.tooLarge }
        let body = try await response.body.collect(upTo: limit)
        guard body.readableBytes > 0 else { return body }
        switch response.headers.first(name: "Content-Encoding")?.lowercased() {
        case nil, "identity": return body
        case "gzip", "x-gzip":
            switch Gunzip.unpack(body, limit: limit) {
            case .success(let whole): return whole
            case .failure(.tooLarge): throw OutgoingFailure.tooLarge
            case .failure(.damaged): throw OutgoingFailure.unreadable
            }
        default: throw OutgoingFailure.unreadable
        }
    }
}

extension OutgoingFailure {
    fileprivate init(_ error: any Error) {
        switch error {
        case let failure as OutgoingFailure: self = failure
        case let refusal as RefusedAddress: self = .refusedAddress(refusal.description)
        case is Deadline.Passed, is HostLookups.Late: self = .timeout
        case is NIOTooManyBytesError: self = .tooLarge
        case let error as HTTPClientError where Self.isTimeout(error): self = .timeout
        default: self = .connection(String(describing: error))
        }
    }

    private static func isTimeout(_ error: HTTPClientError) -> Bool {
        error == .deadlineExceeded || error == .readTimeout || error == .connectTimeout
            || error == .getConnectionFromPoolTimeout || error == .writeTimeout
    }
}
