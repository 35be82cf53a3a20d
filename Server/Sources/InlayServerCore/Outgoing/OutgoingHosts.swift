import AsyncHTTPClient
import NIOConcurrencyHelpers

/// The connections that an ``OutgoingClient`` keeps, by host, port and sender. Senders share none: bytes that are left
/// on a connection, the rest of a response that was too long for example, would be read as the response to another
/// sender.
struct OutgoingHosts: Sendable {
    /// The owner and destination of connections.
    struct Key: Hashable, Sendable {
        let host: String
        let port: Int
        let sender: String
    }

    /// Connections to one address that was checked. They end with the last reference, so no request is cut off.
    final class Connections: Sendable {
        let client: HTTPClient
        fileprivate let address: String
        private let openClients: NIOLockedValueBox<Int>

        fileprivate init(_ host: String, at address: String, in hosts: OutgoingHosts) {
            (self.address, openClients) = (address, hosts.openClients)
            var configuration = hosts.configuration
            configuration.dnsOverride = [host: address]
            client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            openClients.withLockedValue { $0 += 1 }
        }

        deinit {
            openClients.withLockedValue { $0 -= 1 }
            Task { [client] in try? await client.shutdown() }
        }
    }

    private struct Host {
        let connections: Connections
        var checkedAt, lastUse: ContinuousClock.Instant
        /// Requests under way.
        var uses = 0
        /// Whether the host has more addresses than this one.
        var hasOthers: Bool
        /// The outcome of the requests since the check; `nil` before the first one ended.
        var outcome: OutgoingOutcome?

        /// The time until which the address needs no new check.
        var checkEnd: ContinuousClock.Instant {
            switch outcome {
            case nil, .answered?: checkedAt + .seconds(30)
            // At once, so that the same request may go to another address.
            case .unreachable? where hasOthers: checkedAt
            // A host that fails again and again is not looked up for each request.
            case .failed?, .unreachable?: checkedAt + .seconds(5)
            }
        }
    }

    /// The settings of every connection but its address.
    let configuration: HTTPClient.Configuration
    let maximumHosts: Int
    private var hosts: [Key: Host] = [:]
    /// The number of clients: one for each host, and replaced ones that still have a request.
    private let openClients = NIOLockedValueBox(0)
    private var isClosed = false

    init(_ configuration: HTTPClient.Configuration, maximumHosts: Int) {
        (self.configuration, self.maximumHosts) = (configuration, maximumHosts)
    }

    /// Begins a request to an address that was checked lately, or by the caller; returns `nil` when there is none.
    mutating func beginRequest(
        _ key: Key, isChecked: Bool = false, at now: ContinuousClock.Instant = .now
    ) throws -> Connections? {
        guard !isClosed else { throw CancellationError() }
        guard var host = hosts[key], isChecked || now < host.checkEnd else { return nil }
        (host.uses, host.lastUse) = (host.uses + 1, now)
        hosts[key] = host
        return host.connections
    }

    /// Returns the address of a host if it answers requests, as far as is known.
    func address(for key: Key) -> String? {
        hosts[key].flatMap { [nil, .answered].contains($0.outcome) ? $0.connections.address : nil }
    }

    /// Sends the requests that follow to an address that was checked just now. At the limit the least recently used
    /// host is removed; throws ``OutgoingFailure/busy`` when each is in use.
    mutating func pin(
        _ key: Key, to address: String, hasOthers: Bool = false, at now: ContinuousClock.Instant = .now
    ) throws {
        if var host = hosts[key], host.connections.address == address {
            (host.checkedAt, host.hasOthers, host.outcome) = (now, hasOthers, nil)
            hosts[key] = host
            return
        }
        hosts[key] = nil
        if openClients.withLockedValue({ $0 }) >= maximumHosts {
            let oldest = hosts.filter { $0.value.uses == 0 }.min { $0.value.lastUse < $1.value.lastUse }
            guard let oldest else { throw OutgoingFailure.busy }
            hosts[oldest.key] = nil
        }
        let connections = Connections(key.host, at: address, in: self)
        hosts[key] = Host(connections: connections, checkedAt: now, lastUse: now, hasOthers: hasOthers)
    }

    /// Ends a request.
    mutating func endRequest(_ key: Key, _ connections: Connections, _ outcome: OutgoingOutcome) {
        guard var host = hosts[key], host.connections === connections else { return }
        host.uses -= 1
        // After a response, a failure is that of one request, and says nothing of the address.
        if outcome != .failed || host.outcome == nil { host.outcome = outcome }
        hosts[key] = host
    }

    /// Ends the intake of requests. Returns the connections to close, also those with requests under way.
    mutating func close() -> [Connections] {
        isClosed = true
        defer { hosts = [:] }
        return hosts.values.map(\.connections)
    }
}
