import NIOConcurrencyHelpers

/// A limiter that divides the connections of this process among callers, so that no network can hold them all.
///
/// A connection over a share, or over the total, may still check the server's health, from a small reserve.
final class ConnectionLimiter: Sendable {
    /// The maximum numbers of open connections.
    struct Limits: Sendable {
        /// All connections but the reserve.
        var total: Int
        /// The connections of one network: an IPv4 address or an IPv6 /64.
        var perNetwork: Int
        /// The connections of one block: an IPv4 /24 or an IPv6 /48.
        var perBlock: Int
        /// The connections over the total or over shares, on which only ``isHealthCheck(_:)`` is answered.
        var reserve: Int

        /// Returns the limits for this many connections. Behind a proxy networks have no share, since every connection
        /// is the proxy's.
        static func shared(_ maximum: Int, perNetwork: Int?, behindProxy: Bool) -> Self {
            let reserve = min(64, max(8, maximum / 8))
            let share = perNetwork ?? max(1, maximum / Int(FairShare.parts))
            let isUnlimited = behindProxy || share == 0
            return Self(
                total: maximum - reserve, perNetwork: isUnlimited ? .max : share,
                perBlock: isUnlimited ? .max : share * 2, reserve: reserve)
        }

        /// The part of the reserve that one network may hold.
        var reservePerNetwork: Int { max(1, reserve / 8) }
    }

    /// The place of an open connection; ``close(_:)`` gives it back.
    struct Ticket: Sendable {
        /// Whether it came from the reserve.
        let isReserve: Bool
        fileprivate let holders: [Holder]
    }

    /// A group of connections that has a maximum.
    fileprivate enum Holder: Hashable, Sendable {
        case all
        case network(CallerNetwork)
        case block(CallerNetwork)
        case reserve
        case healthCheck(CallerNetwork)
    }

    private let limits: Limits
    /// Only holders with a connection have an entry, so memory follows the connections.
    private let counts = NIOLockedValueBox<[Holder: Int]>([:])

    init(limits: Limits) { self.limits = limits }

    /// Takes a place for a caller's connection; returns `nil` when the connection has to be closed at once.
    func open(from caller: CallerAddress) -> Ticket? {
        take([
            (.all, limits.total), (.network(caller.network), limits.perNetwork),
            (.block(caller.block), limits.perBlock),
        ])
            ?? take(
                [(.reserve, limits.reserve), (.healthCheck(caller.network), limits.reservePerNetwork)],
                isReserve: true)
    }

    /// Gives a place back. Call it once for each ticket.
    func close(_ ticket: Ticket) {
        counts.withLockedValue { counts in
            for holder in ticket.holders {
                let left = (counts[holder] ?? 0) - 1
                counts[holder] = left > 0 ? left : nil
            }
        }
    }

    /// Whether a path may be asked for on a connection of the reserve.
    static func isHealthCheck(_ path: String) -> Bool { path == "/health" || path == "/ready" }

    /// Counts a connection for all of its holders, or for none when one of them has its maximum.
    private func take(_ holders: [(holder: Holder, maximum: Int)], isReserve: Bool = false) -> Ticket? {
        counts.withLockedValue { counts in
            guard holders.allSatisfy({ counts[$0.holder, default: 0] < $0.maximum }) else { return nil }
            for holder in holders.map(\.holder) { counts[holder, default: 0] += 1 }
            return Ticket(isReserve: isReserve, holders: holders.map(\.holder))
        }
    }
}
