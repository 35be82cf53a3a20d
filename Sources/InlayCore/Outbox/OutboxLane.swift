/// A queue within the outbox: its items go to one place, strictly in order.
package struct OutboxLane: Sendable {
    /// The lane's name; stored with its items, so it must never change.
    package var name: String
    /// The way of sending the lane's items.
    package var carrier: any OutboxCarrier
    /// The maximum number of items in a batch, 1...500.
    package var batchSize: Int
    /// The number of waiting items at which they are sent without a flush; `nil` stands for a full batch.
    package var flushCount: Int?
    /// The time for which fewer items may wait for others before they are sent; `nil` waits for a flush.
    package var flushAfter: Duration?
    /// The number of attempts after which an item is given up; `nil` never gives up. Only attempts for which the
    /// carrier's verdict is `spend` count.
    package var maximumTries: Int?
    /// The maximum age of an item; older ones are dropped and reported. `nil` keeps them for ever.
    package var maximumAge: Duration?
    /// The maximum bytes in the lane; beyond it, the oldest items are dropped and reported. `nil` sets no limit.
    package var maximumBytes: Int?
    /// The delays after failures.
    package var retry: RetryRule

    package init(
        name: String, carrier: any OutboxCarrier, batchSize: Int = 50, flushCount: Int? = nil,
        flushAfter: Duration? = .zero, maximumTries: Int? = nil, maximumAge: Duration? = nil,
        maximumBytes: Int? = nil, retry: RetryRule = RetryRule()
    ) {
        self.name = name
        self.carrier = carrier
        self.batchSize = min(max(batchSize, 1), 500)
        self.flushCount = flushCount
        self.flushAfter = flushAfter
        self.maximumTries = maximumTries
        self.maximumAge = maximumAge
        self.maximumBytes = maximumBytes
        self.retry = retry
    }

    /// A lane whose batches are posted to a path as `{"items":[…]}`.
    package init(
        name: String, path: String, batchSize: Int = 50, flushAfter: Duration = .zero,
        maximumAge: Duration? = nil, maximumBytes: Int? = nil, retry: RetryRule = RetryRule()
    ) {
        self.init(
            name: name, carrier: BatchWire(path: path), batchSize: batchSize, flushAfter: flushAfter,
            maximumAge: maximumAge, maximumBytes: maximumBytes, retry: retry)
    }
}
