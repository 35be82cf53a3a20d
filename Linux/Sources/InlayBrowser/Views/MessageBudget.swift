import NIOCore

/// How many messages a page may still send: a bucket that fills at a steady rate.
struct MessageBudget {
    private let perSecond: Double
    private let most: Double
    private var left: Double
    private var filled: NIODeadline

    init(perSecond: Int, at now: NIODeadline) {
        self.perSecond = Double(max(perSecond, 1))
        most = self.perSecond * 4
        left = most
        filled = now
    }

    /// Takes one message from the budget; `false` when nothing is left.
    mutating func spend(at now: NIODeadline) -> Bool {
        let seconds = Double((now - filled).nanoseconds) / 1e9
        left = min(most, left + seconds * perSecond)
        filled = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
