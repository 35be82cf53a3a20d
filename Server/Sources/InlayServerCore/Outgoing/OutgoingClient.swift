import AsyncHTTPClient
import Foundation
import NIOConcurrencyHelpers
package import NIOCore
import NIOHTTP1

/// An HTTP client for addresses that others chose: bidders, notices, rewards.
///
/// A host is resolved here, every address of it is checked by the guard, and the connection goes to the first checked
/// address that answers. One deadline covers the lookup, the connection, the head, the body and the unpacking. Bodies
/// are limited before and after they are unpacked. Redirects are not followed.
package final class OutgoingClient: Sendable {
    private let lookups: HostLookups<OutgoingHosts.Key>
    private let hosts: NIOLockedValueBox<OutgoingHosts>

    /// Creates a client. `connections` is how many it keeps to one host at once, `maximumHosts` is the number of hosts
    /// with connections; a request to one more while all are in use fails with ``OutgoingFailure/busy``.
    package init(_ addressGuard: AddressGuard, connections: Int = 8, maximumHosts: Int = 256) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(2)
        configuration.connectionPool.idleTimeout = .seconds(60)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        // Retried by itself a bid request could be answered twice, and later than its deadline.
        configuration.connectionPool.retryConnectionEstablishment = false
        let hosts = NIOLockedValueBox(OutgoingHosts(configuration, maximumHosts: maximumHosts))
        self.hosts = hosts
        lookups = HostLookups(limit: .seconds(5)) { key in
            try await OutgoingClient.chooseAddress(key, addressGuard, hosts)
        }
    }

    /// Sends a request once and returns the response, whatever its status. `sender` names the party that it is sent
    /// for: each has at most a few lookups under way.
    package func send(
        _ request: OutgoingRequest, for sender: String, until deadline: NIODeadline
    ) async throws(OutgoingFailure) -> OutgoingResponse {
        guard let (host, port) = AddressGuard.endpoint(of: request.url) else { throw .invalidURL }
        let key = OutgoingHosts.Key(host: host, port: port, sender: sender)
        let result: Result<OutgoingResponse, OutgoingFailure>
        do {
            let response = try await Deadline.run(until: deadline) { [self] in
                try await answer(to: request, at: key, until: deadline)
            }
            // Unpacking takes time, and nothing stops it.
            result = NIODeadline.now() < deadline ? .success(response) : .failure(.timeout)
        } catch {
            result = .failure(OutgoingFailure(error))
        }
        return try result.get()
    }

    /// Ends the connections to all hosts; later requests fail. A request to an address that its host has left ends by
    /// itself, at its deadline at the latest.
    package func close() async {
        let open = hosts.withLockedValue { $0.close() }
        for connections in open { try? await connections.client.shutdown() }
    }

    // MARK: The connection

    /// Sends a request to an address of the host that answers. When the address that answered before takes no more
    /// connections, the request goes to another one: of the host's others, or one that the name has got since its last
    /// check.
    private func answer(
        to request: OutgoingRequest, at key: OutgoingHosts.Key, until deadline: NIODeadline
    ) async throws -> OutgoingResponse {
        do {
            return try await attempt(request, at: key, until: deadline)
        } catch let failure as NotSent {
            return try await attempt(request, at: key, until: deadline, after: failure)
        }
    }

    private func attempt(
        _ request: OutgoingRequest, at key: OutgoingHosts.Key, until deadline: NIODeadline,
        after failure: NotSent? = nil
    ) async throws -> OutgoingResponse {
        let connections = try await connections(to: key)
        do {
            // The same address would refuse again. A host without others still has it when it was checked just now.
            if let failure, failure.client === connections.client { throw failure.error }
            let response = try await exchange(request, on: connections.client, until: deadline)
            hosts.withLockedValue { $0.endRequest(key, connections, .answered) }
            return response
        } catch {
            let outcome = OutgoingOutcome(error)
            hosts.withLockedValue { $0.endRequest(key, connections, outcome) }
            throw outcome == .unreachable ? NotSent(client: connections.client, error: error) : error
        }
    }

    /// Returns connections to a recently checked address of the host, and counts one more request on them.
    private func connections(to key: OutgoingHosts.Key) async throws -> OutgoingHosts.Connections {
        if let known = try hosts.withLockedValue({ try $0.beginRequest(key) }) { return known }
        // The lookup itself chooses one of the addresses: it may end when this request is over.
        _ = try await lookups.addresses(of: key, for: key.sender)
        // Faster requests to other hosts may have removed this one again.
        guard let found = try hosts.withLockedValue({ try $0.beginRequest(key, isChecked: true) })
        else { throw OutgoingFailure.busy }
        return found
    }

    /// Looks up a host, checks its addresses and chooses one for the requests that follow, also those of others than
    /// the caller: the one that they go to already if it answers, else the first that answers now.
    private static func chooseAddress(
        _ key: OutgoingHosts.Key, _ addressGuard: AddressGuard, _ hosts: NIOLockedValueBox<OutgoingHosts>
    ) async throws -> [String] {
        let addresses = try await addressGuard.addresses(of: key.host)
        let address: String, hasOthers = addresses.count > 1
        if let last = hosts.withLockedValue({ $0.address(for: key) }), addresses.contains(last) {
            address = last
        } else {
            address = try await CheckedAddresses(addresses, of: key.host, port: key.port)
                .firstReachableAddress(until: .now() + .seconds(3))
        }
        try hosts.withLockedValue { try $0.pin(key, to: address, hasOthers: hasOthers) }
        return addresses
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

/// The error when no connection was made, so that nothing of a request was sent.
private struct NotSent: Error {
    let client: HTTPClient
    let error: any Error
}

extension OutgoingFailure {
    fileprivate init(_ error: any Error) {
        switch error {
        case let failure as OutgoingFailure: self = failure
        case let failure as NotSent: self.init(failure.error)
        case let refusal as RefusedAddress: self = .refusedAddress(refusal.description)
        case is Deadline.Passed, LookupFailure.late: self = .timeout
        case let failure as NoConnection:
            self = failure.isLate ? .timeout : .connection(failure.description)
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

/// The end of a request, which decides when its host's address is checked again.
enum OutgoingOutcome {
    /// Something came back.
    case answered
    /// Nothing came back, or not in time.
    case failed
    /// No connection was made, so nothing of the request was sent.
    case unreachable

    fileprivate init(_ error: any Error) {
        switch error {
        case is OutgoingFailure, is NIOTooManyBytesError: self = .answered
        case let error as HTTPClientError where error == .connectTimeout: self = .unreachable
        // Established connections end with other codes.
        case let error as IOError where error.errnoCode == ECONNREFUSED: self = .unreachable
        default: self = .failed
        }
    }
}
