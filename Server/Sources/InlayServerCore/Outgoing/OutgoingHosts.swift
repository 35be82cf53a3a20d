import AsyncHTTPClient

/// The connections that an ``OutgoingClient`` keeps: one HTTP client for each host, port and sender, pinned to an address
/// that was checked.
///
/// Senders share no connection: what one of them leaves on it, the rest of an answer that was too long for example, would
/// be read as the answer to another.
struct OutgoingHosts: Sendable {
    /// The owner and destination of connections.
    struct Key: Hashable, Sendable {
        let host: String
        let port: Int
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
        /// Grows with each use of any host.
        var lastUse: Int
        /// Requests under way.
        var uses = 0
        private var checkedAt: ContinuousClock.Instant
        private var hasOthers: Bool
        /// The outcome of the requests since the check; `nil` before the first one ended.
        private var outcome: OutgoingOutcome?

        init(
            key: Key, client: HTTPClient, address: String, lastUse: Int, hasOthers: Bool,
            checkedAt now: ContinuousClock.Instant
        ) {
            (self.key, self.client, self.address, self.lastUse) = (key, client, address, lastUse)
            (self.hasOthers, checkedAt) = (hasOthers, now)
        }

        /// Whether nothing speaks against the address.
        var isGood: Bool { outcome == nil || outcome == .answered }

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

        mutating func check(hasOthers: Bool, at now: ContinuousClock.Instant) {
            (self.hasOthers, checkedAt, outcome) = (hasOthers, now, nil)
        }

        mutating func end(_ outcome: OutgoingOutcome) {
            uses -= 1
            // Among answers a failure is that of one request, and says nothing of the address.
            if outcome != .failed || self.outcome == nil { self.outcome = outcome }
        }
    }

    let connections: Int
    let maximumHosts: Int
    /// All that are open. One whose key has another id takes no new requests, and is closed behind the last one.
    private var hosts: [Int: Host] = [:]
    private var ids: [Key: Int] = [:]
    private var lastID = 0
    private var isClosed = false

    init(connections: Int, maximumHosts: Int) {
        self.connections = connections
        self.maximumHosts = maximumHosts
    }

    /// Begins a request on connections whose address was checked lately, or by the caller; `nil` when there are none.
    mutating func enter(
        _ key: Key, isChecked: Bool = false, at now: ContinuousClock.Instant = .now
    ) throws -> Use? {
        guard !isClosed else { throw CancellationError() }
        guard let id = ids[key], var host = hosts[id] else { return nil }
        guard isChecked || now < host.checkEnd else { return nil }
        (host.uses, host.lastUse) = (host.uses + 1, nextID())
        hosts[id] = host
        return Use(client: host.client, id: id)
    }

    /// The address of a host that answers requests, as far as is known.
    func address(for key: Key) -> String? {
        ids[key].flatMap { hosts[$0] }.flatMap { $0.isGood ? $0.address : nil }
    }

    /// Sends the requests that follow to an address that was checked just now; `hasOthers` is whether the host has more
    /// than this one. Returns the clients that nobody uses any more. The host whose last use is the longest ago makes
    /// room; throws ``OutgoingFailure/busy`` when each is in use.
    mutating func pin(
        _ key: Key, to address: String, hasOthers: Bool = false, at now: ContinuousClock.Instant = .now
    ) throws -> [HTTPClient] {
        guard !isClosed else { throw CancellationError() }
        if let id = ids[key], hosts[id]?.address == address {
            hosts[id]?.check(hasOthers: hasOthers, at: now)
            return []
        }
        var unused = [retire(key)]
        if hosts.count >= maximumHosts {
            let idle = hosts.values.filter { $0.uses == 0 }
            guard let oldest = idle.min(by: { $0.lastUse < $1.lastUse }) else { throw OutgoingFailure.busy }
            unused.append(retire(oldest.key))
        }
        let id = nextID()
        hosts[id] = Host(
            key: key, client: makeClient(key.host, address), address: address, lastUse: id,
            hasOthers: hasOthers, checkedAt: now)
        ids[key] = id
        return unused.compactMap { $0 }
    }

    /// Ends a request. Returns the client when it is to be closed behind it.
    mutating func leave(_ use: Use, _ outcome: OutgoingOutcome) -> HTTPClient? {
        hosts[use.id]?.end(outcome)
        return closed(use.id)
    }

    /// Takes no more requests. Returns the clients to close, with whatever is under way on them.
    mutating func close() -> [HTTPClient] {
        isClosed = true
        defer { (hosts, ids) = ([:], [:]) }
        return hosts.values.map(\.client)
    }

    private mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    /// A client that is shut down cuts what is under way, and a call that is cut is made again.
    private mutating func retire(_ key: Key) -> HTTPClient? {
        ids.removeValue(forKey: key).flatMap { closed($0) }
    }

    private mutating func closed(_ id: Int) -> HTTPClient? {
        guard let host = hosts[id], ids[host.key] != id, host.uses == 0 else { return nil }
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
