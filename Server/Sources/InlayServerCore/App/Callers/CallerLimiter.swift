import Hummingbird
@_spi(Inlay) package import InlayWire
import NIOConcurrencyHelpers

/// Counts what callers do by the networks that they come from, and refuses what is over a ``CallerLimit``.
///
/// It never knows accounts, so it treats all of them alike. The counts are a node's own and in bounded memory; a
/// restart forgets them, which costs a guesser more than it gives. A feature has a limiter of its own, so that a flood
/// of its requests clears no count of another.
package final class CallerLimiter: Sendable {
    /// The counts that are kept by default.
    package static let maximumNames = 50_000

    private struct Name: Hashable {
        let limit: String
        let isBlock: Bool
        let network: CallerNetwork
        let subject: String
    }

    /// The names that a limit counts a caller by, each with its maximum; `nil` where the limit has none.
    private struct Names {
        let network: (name: Name, maximum: Int)?
        let block: (name: Name, maximum: Int)?

        init(_ limit: CallerLimit, _ caller: CallerAddress, _ subject: String) {
            func counted(
                _ network: CallerNetwork, isBlock: Bool, _ maximum: Int
            ) -> (name: Name, maximum: Int)? {
                guard maximum > 0 else { return nil }
                let name = Name(limit: limit.name, isBlock: isBlock, network: network, subject: subject)
                return (name, maximum)
            }
            let perBlock =
                caller.isIPv6 ? limit.maximumPerIPv6Block : caller.isIPv4 ? limit.maximumPerIPv4Block : 0
            network = counted(caller.network, isBlock: false, limit.maximumPerNetwork)
            block = counted(caller.block, isBlock: true, perBlock)
        }

        func forEach(_ body: (_ name: Name, _ maximum: Int) -> Void) {
            if let network { body(network.name, network.maximum) }
            if let block { body(block.name, block.maximum) }
        }
    }

    private let now: @Sendable () -> Timestamp
    private let counts: NIOLockedValueBox<WindowCounts<Name>>

    /// A limiter that has counted nothing.
    package init(
        maximumNames: Int = CallerLimiter.maximumNames, now: @escaping @Sendable () -> Timestamp
    ) {
        self.now = now
        counts = NIOLockedValueBox(WindowCounts(maximumNames: maximumNames))
    }

    /// Counts once for a caller's network and block; throws the 429 with its `Retry-After` when there were too many.
    ///
    /// A refused attempt counts for nobody: a network that has used up its own takes nothing from its neighbours.
    ///
    /// - Parameter subject: The subject of the attempt, each of which has counts of its own, for example a mail address;
    ///   a hash of one that should not stay in memory.
    package func spend(_ limit: CallerLimit, from caller: CallerAddress, about subject: String = "") throws {
        try admit(limit, caller, subject, isCounted: true)
    }

    /// Throws what ``spend(_:from:about:)`` would throw, and counts nothing.
    package func check(_ limit: CallerLimit, from caller: CallerAddress, about subject: String = "") throws {
        try admit(limit, caller, subject, isCounted: false)
    }

    /// Counts a failed attempt after ``check(_:from:about:)``.
    package func count(_ limit: CallerLimit, from caller: CallerAddress, about subject: String = "") {
        let moment = now(), names = Names(limit, caller, subject)
        counts.withLockedValue { counts in
            names.forEach { name, _ in counts.add(name, for: limit.period, at: moment) }
        }
    }

    /// Takes back what ``spend(_:from:about:)`` counted: the guess was right.
    package func refund(_ limit: CallerLimit, from caller: CallerAddress, about subject: String = "") {
        let names = Names(limit, caller, subject)
        counts.withLockedValue { counts in names.forEach { name, _ in counts.takeBack(name) } }
    }

    private func admit(
        _ limit: CallerLimit, _ caller: CallerAddress, _ subject: String, isCounted: Bool
    ) throws {
        let moment = now(), names = Names(limit, caller, subject)
        let wait = counts.withLockedValue { counts -> Duration? in
            var remaining: Duration?
            names.forEach { name, maximum in
                guard counts.count(of: name, at: moment) >= maximum else { return }
                remaining = max(remaining ?? .zero, counts.remaining(of: name, at: moment))
            }
            guard remaining == nil, isCounted else { return remaining }
            names.forEach { name, _ in counts.add(name, for: limit.period, at: moment) }
            return nil
        }
        if let wait { throw Refusal.waiting(wait) }
    }
}

extension Refusal {
    /// 429 with the seconds to wait.
    package static func waiting(_ left: Duration) -> Refusal {
        Refusal(.rateLimited, headers: [.retryAfter: String(max(1, Int(left.seconds.rounded(.up))))])
    }
}
