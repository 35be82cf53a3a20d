import NIOConcurrencyHelpers

/// Shares the connections of this process out among callers, so that no network can hold them all.
///
/// A connection over a share, or over the total, may still check the server's health, from a small reserve.
final class ConnectionLimiter: Sendable {
    /// The maximum numbers of open connections.
    struct Limits: Sendable {
        /// All but the reserve.
        var total: Int
        /// Those of one network: an IPv4 address, an IPv6 /64.
        var perNetwork: Int
        /// Those of one block: an IPv4 /24, an IPv6 /48.
        var perBlock: Int
        /// Those that only ``isHealthCheck(_:)`` is answered on, over the total and over shares.
        var reserve: Int

        /// The shares of so many connections. Behind a proxy networks have none: every connection is the proxy's.
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

    /// A connection that was taken; ``close(_:)`` gives its place back.
    struct Ticket: Sendable {
        /// Whether it came from the reserve.
        let isReserve: Bool
        fileprivate let holders: [Holder]
    }

    /// A network or a block whose connections are counted.
    fileprivate enum Holder: Hashable, Sendable {
        case network(CallerNetwork)
        case block(CallerNetwork)
        case healthCheck(CallerNetwork)
    }

    private struct State {
        var taken = 0
        var reserve = 0
        /// Only of those with a connection, so memory follows the connections.
        var counts: [Holder: Int] = [:]
    }

    private let limits: Limits
    private let state = NIOLockedValueBox(State())

    init(limits: Limits) { self.limits = limits }

    /// Takes a place for a caller's connection, or `nil` when it has to be closed at once.
    func open(from caller: CallerAddress) -> Ticket? {
        let network = Holder.network(caller.network), block = Holder.block(caller.block)
        let health = Holder.healthCheck(caller.network)
        return state.withLockedValue { state in
            let isFree =
                state.taken < limits.total && state.counts[network, default: 0] < limits.perNetwork
                && state.counts[block, default: 0] < limits.perBlock
            if isFree {
                state.taken += 1
                return Self.ticket(isReserve: false, [network, block], &state)
            }
            guard state.reserve < limits.reserve,
                state.counts[health, default: 0] < limits.reservePerNetwork
            else { return nil }
            state.reserve += 1
            return Self.ticket(isReserve: true, [health], &state)
        }
    }

    /// Gives a place back. Once for each ticket.
    func close(_ ticket: Ticket) {
        state.withLockedValue { state in
            if ticket.isReserve { state.reserve -= 1 } else { state.taken -= 1 }
            for holder in ticket.holders {
                let left = (state.counts[holder] ?? 0) - 1
                state.counts[holder] = left > 0 ? left : nil
            }
        }
    }

    /// Whether a path may be asked for on a connection of the reserve.
    static func isHealthCheck(_ path: String) -> Bool { path == "/health" || path == "/ready" }

    private static func ticket(isReserve: Bool, _ holders: [Holder], _ state: inout State) -> Ticket {
        for holder in holders { state.counts[holder, default: 0] += 1 }
        return Ticket(isReserve: isReserve, holders: holders)
    }
}
