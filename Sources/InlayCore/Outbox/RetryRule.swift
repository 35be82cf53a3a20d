/// The delay after a failure: full jitter below a limit that doubles with every failure.
package struct RetryRule: Hashable, Sendable {
    /// The limit after the first failure.
    package var first: Duration
    /// The limit never grows beyond this.
    package var maximum: Duration

    package init(first: Duration = .seconds(1), maximum: Duration = .seconds(300)) {
        self.first = first
        self.maximum = maximum
    }

    /// Returns the delay after this many failures in a row, for a random number of `0..<1`.
    ///
    /// Full jitter: clients that failed together come back spread out.
    package func delay(failures: Int, random: Double) -> Duration {
        guard failures > 0 else { return .zero }
        // 2^32 times any first limit is beyond any maximum; a larger shift would overflow.
        let limit = min(maximum, first * Double(UInt64(1) << UInt64(min(failures - 1, 32))))
        return limit * min(max(random, 0), 1)
    }
}
