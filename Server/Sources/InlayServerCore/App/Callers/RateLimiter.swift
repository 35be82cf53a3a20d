import Hummingbird
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// Token buckets by caller: each holds the requests of four seconds and fills at its rate.
///
/// Buckets that are full again are removed, so memory follows the callers of the last seconds.
package final class RateLimiter: Sendable {
    /// The caller that is counted.
    package enum Caller: Hashable, Sendable {
        case network(CallerNetwork)
        case key(environment: EnvironmentID, String)
        case user(environment: EnvironmentID, String)
    }

    private struct Bucket {
        var tokens: Double
        var filledAt: Timestamp
    }

    private static let burstSeconds = 4.0
    private static let maximumBuckets = 100_000
    private let limits: RateLimits
    private let now: @Sendable () -> Timestamp
    private let buckets = NIOLockedValueBox<[Caller: Bucket]>([:])

    init(limits: RateLimits, now: @escaping @Sendable () -> Timestamp) {
        self.limits = limits
        self.now = now
    }

    /// Takes one request from the caller's bucket; throws the 429 with its `Retry-After` when the bucket is empty.
    package func spend(_ caller: Caller) throws {
        let rate = Double(rate(of: caller))
        guard rate > 0 else { return }
        let moment = now()
        let missing = buckets.withLockedValue { buckets -> Double in
            if buckets.count >= Self.maximumBuckets { forgetFull(&buckets, moment) }
            var bucket = filled(buckets[caller], rate, moment)
            defer { buckets[caller] = bucket }
            guard bucket.tokens >= 1 else { return 1 - bucket.tokens }
            bucket.tokens -= 1
            return 0
        }
        guard missing > 0 else { return }
        throw Refusal.waiting(.seconds(missing / rate))
    }

    private func rate(of caller: Caller) -> Int {
        switch caller {
        case .network: limits.perAddress
        case .key: limits.perKey
        case .user: limits.perUser
        }
    }

    private func filled(_ bucket: Bucket?, _ rate: Double, _ moment: Timestamp) -> Bucket {
        let size = rate * Self.burstSeconds
        guard let bucket else { return Bucket(tokens: size, filledAt: moment) }
        let elapsed = max(0, (moment - bucket.filledAt).seconds)
        return Bucket(tokens: min(size, bucket.tokens + elapsed * rate), filledAt: moment)
    }

    /// Removes the buckets that have had time to fill and, if too many are left, those that are more than half full: a
    /// flood of addresses does not reset a caller who has used up half of a bucket. If all are emptier than that, all
    /// are removed.
    private func forgetFull(_ buckets: inout [Caller: Bucket], _ moment: Timestamp) {
        buckets = buckets.filter { (moment - $0.value.filledAt).seconds < Self.burstSeconds }
        if buckets.count >= Self.maximumBuckets {
            buckets = buckets.filter { $0.value.tokens < Double(rate(of: $0.key)) * Self.burstSeconds / 2 }
        }
        if buckets.count >= Self.maximumBuckets { buckets.removeAll() }
    }
}

extension Duration {
    /// The duration in seconds, to the microsecond.
    package var seconds: Double { Double(microseconds) / 1_000_000 }
}

/// A middleware that counts every request against its network, before anything else is done for the request.
struct AddressLimit: RouterMiddleware {
    typealias Context = ServerContext

    let limiter: RateLimiter

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        try limiter.spend(.network(context.callerAddress.network))
        return try await next(request, context)
    }
}
