/// A queue within the outbox: its items go to one place, strictly in order.
package struct OutboxLane: Sendable {
    /// The lane's name; stored with its items, so it must never change.
    package var name: String
    /// The path that batches are posted to.
    package var path: String
    /// The most items of a batch, 1...500.
    package var batchSize: Int
    /// How long an item may wait for others before it is sent.
    package var flushAfter: Duration
    /// Items older than this are dropped and reported; `nil` keeps them for ever.
    package var maximumAge: Duration?
    /// The oldest items are dropped and reported when the lane holds more; `nil` sets no limit.
    package var maximumBytes: Int?
    /// The waits after failures.
    package var retry: RetryRule

    package init(
        name: String, path: String, batchSize: Int = 50, flushAfter: Duration = .zero,
        maximumAge: Duration? = nil, maximumBytes: Int? = nil, retry: RetryRule = RetryRule()
    ) {
        self.name = name
        self.path = path
        self.batchSize = min(max(batchSize, 1), 500)
        self.flushAfter = flushAfter
        self.maximumAge = maximumAge
        self.maximumBytes = maximumBytes
        self.retry = retry
    }
}
