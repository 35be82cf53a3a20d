import AsyncHTTPClient
import NIOCore

/// The connections that an ``OutgoingClient`` keeps: one HTTP client for each host and sender, pinned to an address that
/// was checked.
///
/// Senders share no connection: what one of them leaves on it, the rest of an answer that was too long for example, would
/// be read as the answer to another.
struct OutgoingHosts: Sendable {
    /// The owner and destination of connections.
    struct Key: Hashable, Sendable {
        let host: String
        let sender: String
    }

    /// A request on the connections to a host: nobody closes them under it.
    struct Use: Sendable {
        let client: HTTPClient
        fileprivate let id: Int
    }

    private struct Host {
        let key: Key
        let client: HTTPClient
        let address: String
        /// Until when the address needs no new check.
        var checkedUntil: ContinuousClock.Instant
        /// Requests under way.
        var uses = 0
        /// Takes no new requests; closed behind the last one.
        var isRetired = false
    }

    /// The time for which a checked address is used before the name is looked up again.
    private static let checkLifetime: Duration = .seconds(30)

    let connections: Int
    let maximumHosts: Int
    private var hosts: [Int: Host] = [:]
    private var ids: [Key: Int] = [:]
    private var lastID = 0
    private var isClosed = false

    init(connections: Int, maximumHosts: Int) {
        self.connections = connections
        self.maximumHosts = maximumHosts
    }

    /// Begins a request on connections whose address was checked lately; `nil` when there are none.
    mutating func enter(_ key: Key, at now: ContinuousClock.Instant = .now) throws -> Use? {
        guard !isClosed else { throw CancellationError() }
        guard let id = ids[key], let host = hosts[id], host.checkedUntil > now else { return nil }
        return use(id, host.client)
    }

    /// Begins a request to a host with these addresses, which were checked just now. Returns also the clients that
    /// nobody uses any more.
    mutating func enter(
        _ key: Key, at addresses: [String]
    ) throws -> (use: Use, over: [HTTPClient]) {
        guard !isClosed, let first = addresses.first else { throw CancellationError() }
        if let id = ids[key], let host = hosts[id], addresses.contains(host.address) {
            hosts[id]?.checkedUntil = .now + Self.checkLifetime
            return (use(id, host.client), [])
        }
        var over = [retire(key)]
        if hosts.count >= maximumHosts, let idle = hosts.values.first(where: { $0.uses == 0 }) {
            over.append(retire(idle.key))
        }
        lastID += 1
        let client = makeClient(key.host, first)
        hosts[lastID] = Host(
            key: key, client: client, address: first, checkedUntil: .now + Self.checkLifetime)
        ids[key] = lastID
        return (use(lastID, client), over.compactMap { $0 })
    }

    /// Ends a request. Returns the client when it is to be closed behind it.
    mutating func leave(_ use: Use) -> HTTPClient? {
        hosts[use.id]?.uses -= 1
        return closed(use.id)
    }

    /// Takes no more requests. Returns the clients to close, with whatever is under way on them.
    mutating func close() -> [HTTPClient] {
        isClosed = true
        let clients = hosts.values.map(\.client)
        (hosts, ids) = ([:], [:])
        return clients
    }

    private mutating func use(_ id: Int, _ client: HTTPClient) -> Use {
        hosts[id]?.uses += 1
        return Use(client: client, id: id)
    }

    /// A client that is shut down cuts what is under way, and a call that is cut is made again.
    private mutating func retire(_ key: Key) -> HTTPClient? {
        guard let id = ids.removeValue(forKey: key) else { return nil }
        hosts[id]?.isRetired = true
        return closed(id)
    }

    private mutating func closed(_ id: Int) -> HTTPClient? {
        guard let host = hosts[id], host.isRetired, host.uses == 0 else { return nil }
        hosts[id] = nil
        return host.client
    }

    private func makeClient(_ name: String, _ address: String) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.dnsOverride = [name: address]
        configuration.timeout.connect = .seconds(2)
        configuration.connectionPool.idleTimeout = .seconds(60)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        // Retried by itself a bid request could be answered twice, and later than its deadline.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }
}
