/// The observers of the outcomes of each lane's items.
struct OutboxObservers {
    private var observers: [Int: (lane: String, continuation: AsyncStream<OutboxOutcome>.Continuation)] = [:]
    private var nextID = 0

    /// Adds an observer and returns its stream; calls `onTermination` with its id when nobody reads it any more.
    mutating func observe(
        lane: String, onTermination: @escaping @Sendable (Int) -> Void
    ) -> AsyncStream<OutboxOutcome> {
        let (stream, continuation) = AsyncStream.makeStream(of: OutboxOutcome.self)
        nextID += 1
        let id = nextID
        observers[id] = (lane, continuation)
        continuation.onTermination = { _ in onTermination(id) }
        return stream
    }

    /// Removes an observer.
    mutating func remove(_ id: Int) { observers[id] = nil }

    /// Sends outcomes to the lane's observers, in order.
    func notify(_ outcomes: [OutboxOutcome], lane: String) {
        for observer in observers.values where observer.lane == lane {
            outcomes.forEach { observer.continuation.yield($0) }
        }
    }

    /// Ends every stream.
    mutating func end() {
        // Emptied first: ending a stream calls `onTermination` with the observer's id.
        let ended = observers
        observers = [:]
        ended.values.forEach { $0.continuation.finish() }
    }
}
