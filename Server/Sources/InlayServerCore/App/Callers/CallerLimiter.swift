import Hummingbird
@_spi(Inlay) package import InlayWire
import NIOConcurrencyHelpers

/// A limiter that counts what callers do by their networks, and refuses what is over a ``CallerLimit``.
///
/// It does not know accounts, so it treats all of them alike. Each node has counts of its own, in bounded memory; a
/// restart forgets them, which gains a guesser little. A feature has a limiter of its own, so that a flood
/// of its requests clears no count of another.
package final class CallerLimiter: Sendable {
    /// The default maximum number of counts.
    package static let maximumNames = 50_000

    private struct Name: Hashable {
        let limit: String
        let isBlock: Bool
        let network: CallerNetwork
        let subject: String
    }

    private let now: @Sendable () -> Timestamp
    private let counts: NIOLockedValueBox<WindowCounts<Name>>

    /// Creates a limiter without counts.
    package init(
        maximumNames: Int = CallerLimiter.maximumNames, now: @escaping @Sendable () -> Timestamp
    ) {
        self.now = now
        counts = NIOLockedValueBox(WindowCounts(maximumNames: maximumNames))
    }

    /// Counts once for a caller's network and block; throws the 429 with its `Retry-After` when there were too many.
    ///
    /// A refused attempt is not counted, so that a network over its own limit does not use up the limit of its block.
    ///
    /// - Parameter subject: The object of the attempt, for example a mail address; each has counts of its own. Pass a
    ///   hash when the object itself should not stay in memory.
    package func spend(_ limit: CallerLimit, from caller: CallerAddress, about subject: String = "") throws {
        try admit(limit, caller, subject, isCounted: true)
    }

    /// Throws what ``spend(_:from:about:)`` would throw, and counts nothing.
    package func check(_ limit: CallerLimit, from caller: CallerAddress, about subject: String = "") throws {
        try admit(limit, caller, subject, isCounted: false)
    }

    /// Counts a failed attempt after ``check(_:from:about:)``.
    package func count(_ limit: CallerLimit, from caller: CallerAddress, about subject: String = "") {
        let moment = now(), names = names(limit, caller, subject)
        counts.withLockedValue { counts in
            for (name, _) in names { counts.add(name, for: limit.period, at: moment) }
        }
    }

    /// Takes back what ``spend(_:from:about:)`` counted, because the guess was right.
    package func refund(_ limit: CallerLimit, from caller: CallerAddress, about subject: String = "") {
        let names = names(limit, caller, subject)
        counts.withLockedValue { counts in for (name, _) in names { counts.takeBack(name) } }
    }

    /// Returns the names that a limit counts a caller by, each with its maximum.
    private func names(
        _ limit: CallerLimit, _ caller: CallerAddress, _ subject: String
    ) -> [(name: Name, maximum: Int)] {
        let perBlock =
            caller.isIPv6 ? limit.maximumPerIPv6Block : caller.isIPv4 ? limit.maximumPerIPv4Block : 0
        func name(_ network: CallerNetwork, isBlock: Bool) -> Name {
            Name(limit: limit.name, isBlock: isBlock, network: network, subject: subject)
        }
        return [
            (name(caller.network, isBlock: false), limit.maximumPerNetwork),
            (name(caller.block, isBlock: true), perBlock),
        ].filter { $0.1 > 0 }
    }

    private func admit(
        _ limit: CallerLimit, _ caller: CallerAddress, _ subject: String, isCounted: Bool
    ) throws {
        let moment = now(), names = names(limit, caller, subject)
        let wait = counts.withLockedValue { counts -> Duration? in
            let full = names.filter { counts.count(of: $0.name, at: moment) >= $0.maximum }
            if full.isEmpty, isCounted {
                for (name, _) in names { counts.add(name, for: limit.period, at: moment) }
            }
            return full.map { counts.remaining(of: $0.name, at: moment) }.max()
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
