/// The observers of the outcomes of each lane's items.
struct OutboxObservers {
    private var watchers: [Int: (lane: String, continuation: AsyncStream<OutboxOutcome>.Continuation)] = [:]
    private var nextID = 0

    /// Adds an observer and returns its stream; calls `left` with its id when nobody reads the stream any more.
    mutating func watch(
        lane: String, left: @escaping @Sendable (Int) -> Void
    ) -> AsyncStream<OutboxOutcome> {
        let (stream, continuation) = AsyncStream.makeStream(of: OutboxOutcome.self)
        nextID += 1
        let id = nextID
        watchers[id] = (lane, continuation)
        continuation.onTermination = { _ in left(id) }
        return stream
    }

    /// Removes an observer.
    mutating func remove(_ id: Int) { watchers[id] = nil }

    /// Sends outcomes to the lane's observers, in order.
    func notify(_ outcomes: [OutboxOutcome], lane: String) {
        for watcher in watchers.values where watcher.lane == lane {
            outcomes.forEach { watcher.continuation.yield($0) }
        }
    }

    /// Ends every stream.
    mutating func end() {
        // Emptied first: ending a stream calls `left` with the observer's id.
        let ended = watchers
        watchers = [:]
        ended.values.forEach { $0.continuation.finish() }
    }
}
