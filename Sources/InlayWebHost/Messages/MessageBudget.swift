/// The number of messages that a page may still send: a token bucket that is refilled at a steady rate.
@_spi(Inlay) public struct MessageBudget: Sendable {
    private let perSecond: Double
    private let maximum: Double
    private var left: Double
    private var filled: ContinuousClock.Instant

    /// Creates a full bucket. Its capacity is four times the number of messages per second.
    public init(perSecond: Int, at now: ContinuousClock.Instant = .now) {
        self.perSecond = Double(max(perSecond, 1))
        maximum = self.perSecond * 4
        left = maximum
        filled = now
    }

    /// Removes one message from the budget; returns `false` when none is left.
    public mutating func spend(at now: ContinuousClock.Instant = .now) -> Bool {
        left = min(maximum, left + (now - filled) / .seconds(1) * perSecond)
        filled = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
