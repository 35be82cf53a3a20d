@_spi(Inlay) package import InlayWire
import NIOConcurrencyHelpers

/// Limits how often something may be done, by the network that callers come from, and keeps room for other networks.
///
/// Each request counts for the caller's address, for the block of addresses around it, and, where there is a total,
/// for everybody together; of the total a block has only its ``FairShare``. What is refused counts for nobody. The
/// counts are a node's own and in bounded memory; a restart forgets them.
///
/// Use one for each kind of request: it knows no feature, no account and no route.
package final class NetworkLimiter: Sendable {
    /// The number of requests that are allowed in each period. 0 switches a limit off.
    package struct Limits: Hashable, Sendable {
        /// Of one IPv4 address or one IPv6 /64.
        var maximumPerAddress: Int
        /// Of one IPv4 /24 or one IPv6 /48.
        var maximumPerBlock: Int
        /// Of all networks together, for each subject.
        var maximumInTotal = 0
        /// The length of a period.
        var period: Duration

        package init(maximumPerAddress: Int, maximumPerBlock: Int, maximumInTotal: Int = 0, period: Duration)
        {
            self.maximumPerAddress = maximumPerAddress
            self.maximumPerBlock = maximumPerBlock
            self.maximumInTotal = maximumInTotal
            self.period = period
        }
    }

    private enum Name: Hashable {
        case address(String, subject: String)
        case block(String, subject: String)
        case total(subject: String)
    }

    static let maximumNames = 50_000
    private let limits: Limits
    private let now: @Sendable () -> Timestamp
    private let counts: NIOLockedValueBox<WindowCounts<Name>>

    /// A limiter that has counted nothing.
    package init(_ limits: Limits, now: @escaping @Sendable () -> Timestamp) {
        self.limits = limits
        self.now = now
        counts = NIOLockedValueBox(WindowCounts(length: limits.period, maximumNames: Self.maximumNames))
    }

    /// Counts a request from an address; throws the 429 with its `Retry-After` when there were too many.
    ///
    /// - Parameter subject: What is asked about, where each has counts of its own, for example the name that
    ///   somebody signs in with; hash what should not stay in memory.
    package func spend(from address: String, about subject: String = "") throws {
        let moment = now()
        let own = Name.address(CallerNetwork.name(of: address), subject: subject)
        let block = Name.block(CallerNetwork.block(of: address), subject: subject)
        let total = Name.total(subject: subject)
        let wait = counts.withLockedValue { counts -> Duration? in
            func count(_ name: Name) -> Int { counts.count(of: name, at: moment) }
            var full: Name?
            if isFull(count(own), limits.maximumPerAddress) { full = own }
            if isFull(count(block), limits.maximumPerBlock) { full = block }
            if !hasRoom(blockCount: count(block), total: count(total)) { full = total }
            if let full { return counts.remaining(of: full, at: moment) }
            counts.add(own, at: moment)
            counts.add(block, at: moment)
            if limits.maximumInTotal > 0 { counts.add(total, at: moment) }
            return nil
        }
        if let wait { throw Refusal.waiting(wait) }
    }

    private func isFull(_ count: Int, _ maximum: Int) -> Bool { maximum > 0 && count >= maximum }

    /// Whether a block may take one more of what all networks have together.
    private func hasRoom(blockCount: Int, total: Int) -> Bool {
        guard limits.maximumInTotal > 0 else { return true }
        return FairShare.admits(held: Int64(blockCount), left: Int64(limits.maximumInTotal - total))
    }
}
