import InlayServerCore
import NIOConcurrencyHelpers

/// A gate that pauses requests to bidders that fail, and limits the rate of requests to each bidder.
///
/// After five failures in a row a bidder is paused for a second, then for twice as long each time, up to a minute.
/// After the pause one request goes out as a probe; no other is sent before its outcome is known.
final class BidderGate: Sendable {
    fileprivate struct Bidder {
        var failures = 0
        var pause: Duration = .zero
        var opensAt: ContinuousClock.Instant?
        var isProbed = false
        var tokens = 0.0
        var refilledAt: ContinuousClock.Instant?
    }

    /// The number of failures in a row that closes the gate.
    static let maximumFailures = 5
    static let firstPause: Duration = .seconds(1)
    static let maximumPause: Duration = .seconds(60)
    private static let maximumBidders = 10_000

    private let bidders = NIOLockedValueBox<[AdBidderID: Bidder]>([:])

    /// Whether the bidder may get a request at this instant. The caller must follow each `true` with one call of
    /// ``report(_:isFailure:at:)`` or ``withdraw(_:)``.
    func admits(_ bidder: AdBidder, at now: ContinuousClock.Instant = .now) -> Bool {
        bidders.withLockedValue { bidders in
            if bidders.count >= Self.maximumBidders { bidders.removeAll() }
            var state = bidders[bidder.id] ?? Bidder()
            defer { bidders[bidder.id] = state }
            if let opensAt = state.opensAt {
                guard now >= opensAt, !state.isProbed else { return false }
            }
            guard state.takesToken(bidder.qps, at: now) else { return false }
            if state.opensAt != nil { state.isProbed = true }
            return true
        }
    }

    /// Records the outcome of a request: an answer, also one without bids, or a failure.
    func report(_ bidderID: AdBidderID, isFailure: Bool, at now: ContinuousClock.Instant = .now) {
        bidders.withLockedValue { bidders in
            guard var state = bidders[bidderID] else { return }
            if isFailure {
                state.fail(at: now)
            } else {
                (state.failures, state.pause, state.opensAt, state.isProbed) = (0, .zero, nil, false)
            }
            bidders[bidderID] = state
        }
    }

    /// Ends an admitted request that was not sent; it counts neither as an answer nor as a failure.
    func withdraw(_ bidderID: AdBidderID) { bidders.withLockedValue { $0[bidderID]?.isProbed = false } }

    /// Whether the bidder is paused, for the Workbench; true until a request succeeds.
    func isClosed(_ bidderID: AdBidderID) -> Bool {
        bidders.withLockedValue { $0[bidderID]?.opensAt != nil }
    }
}

extension BidderGate.Bidder {
    fileprivate mutating func takesToken(_ rate: Int, at now: ContinuousClock.Instant) -> Bool {
        guard rate > 0 else { return true }
        let elapsed = refilledAt.map { max(0, (now - $0).seconds) } ?? 1
        // One second's worth at most: a bidder that says 100 a second does not want 400 in one.
        tokens = min(Double(rate), tokens + elapsed * Double(rate))
        refilledAt = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    fileprivate mutating func fail(at now: ContinuousClock.Instant) {
        failures += 1
        isProbed = false
        // Requests that were under way when the gate closed do not lengthen the pause.
        guard failures >= BidderGate.maximumFailures, opensAt.map({ now >= $0 }) ?? true else { return }
        pause = pause == .zero ? BidderGate.firstPause : min(pause * 2, BidderGate.maximumPause)
        opensAt = now + pause
    }
}
