import NIOConcurrencyHelpers

/// Shares the connections of this process out among callers, so that no address and no network can hold them all.
///
/// A connection over a share, or over the total, may still check the server's health, from a small reserve.
final class ConnectionLimiter: Sendable {
    /// The maximum numbers of open connections.
    struct Limits: Sendable {
        /// All but the reserve.
        var total: Int
        /// Those of one address: an IPv4 address, an IPv6 /64.
        var perAddress: Int
        /// Those of one network: an IPv4 /24, an IPv6 /48.
        var perNetwork: Int
        /// Those that only ``isHealthCheck(_:)`` is answered on, over the total and over shares.
        var reserve: Int

        package init(total: Int, perAddress: Int, perNetwork: Int, reserve: Int) {
            self.total = total
            self.perAddress = perAddress
            self.perNetwork = perNetwork
            self.reserve = reserve
        }

        /// No limit by address: for a server behind a proxy, where every connection is the proxy's.
        static func shared(_ maximum: Int, perAddress: Int?, behindProxy: Bool) -> Self {
            let reserve = min(64, max(8, maximum / 8))
            let share = perAddress ?? max(1, maximum / 4)
            let isUnlimited = behindProxy || share == 0
            return Self(
                total: maximum - reserve, perAddress: isUnlimited ? .max : share,
                perNetwork: isUnlimited ? .max : share * 2, reserve: reserve)
        }

        /// The part of the reserve that one address may hold.
        var reservePerAddress: Int { max(1, reserve / 8) }
    }

    /// A connection that was taken; ``close(_:)`` gives its place back.
    struct Ticket: Sendable {
        /// Whether it came from the reserve.
        let isReserve: Bool
        fileprivate let names: [String]
    }

    private struct State {
        var taken = 0
        var reserve = 0
        /// By address and by network; only those with a connection, so memory follows the connections.
        var counts: [String: Int] = [:]
    }

    private let limits: Limits
    private let state = NIOLockedValueBox(State())

    init(limits: Limits) { self.limits = limits }

    /// Takes a place for a connection of an address, or `nil` when it has to be closed at once.
    func open(from address: String) -> Ticket? {
        let name = CallerNetwork.name(of: address), network = CallerNetwork.block(of: address)
        return state.withLockedValue { state in
            let isFree =
                state.taken < limits.total && state.counts[name, default: 0] < limits.perAddress
                && state.counts[network, default: 0] < limits.perNetwork
            if isFree {
                state.taken += 1
                return Self.ticket(isReserve: false, [name, network], &state)
            }
            let health = "health \(name)"
            guard state.reserve < limits.reserve,
                state.counts[health, default: 0] < limits.reservePerAddress
            else { return nil }
            state.reserve += 1
            return Self.ticket(isReserve: true, [health], &state)
        }
    }

    /// Gives a place back. Once for each ticket.
    func close(_ ticket: Ticket) {
        state.withLockedValue { state in
            if ticket.isReserve { state.reserve -= 1 } else { state.taken -= 1 }
            for name in ticket.names {
                let left = (state.counts[name] ?? 0) - 1
                state.counts[name] = left > 0 ? left : nil
            }
        }
    }

    /// Whether a path may be asked for on a connection of the reserve.
    static func isHealthCheck(_ path: String) -> Bool { path == "/health" || path == "/ready" }

    private static func ticket(isReserve: Bool, _ names: [String], _ state: inout State) -> Ticket {
        for name in names { state.counts[name, default: 0] += 1 }
        return Ticket(isReserve: isReserve, names: names)
    }
}
