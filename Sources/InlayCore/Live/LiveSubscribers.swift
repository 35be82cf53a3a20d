@_spi(Inlay) import InlayWire

/// The subscribers of each topic, and the polls that stand in for the socket.
struct LiveSubscribers {
    private struct Subscriber {
        let topic: String
        let pollEvery: Duration?
        let continuation: AsyncStream<LiveSignal>.Continuation
        var polls: Task<Void, Never>?
    }

    static let minimumPollInterval = Duration.seconds(1)

    private let clock: any SessionClock
    private let work: SessionWork
    private var all: [Int: Subscriber] = [:]
    private var nextID = 0

    init(clock: any SessionClock, work: SessionWork) {
        self.clock = clock
        self.work = work
    }

    var isEmpty: Bool { all.isEmpty }

    /// Every topic once, in a fixed order.
    var topics: [String] { Set(all.values.map(\.topic)).sorted() }

    /// Adds a subscriber and returns its id; an interval below 1 s counts as 1 s, `nil` and 0 mean no polls.
    mutating func add(
        _ topic: String, pollEvery: Duration?, _ continuation: AsyncStream<LiveSignal>.Continuation
    ) -> Int {
        nextID += 1
        let interval = pollEvery.flatMap { $0 > .zero ? max($0, Self.minimumPollInterval) : nil }
        all[nextID] = Subscriber(topic: topic, pollEvery: interval, continuation: continuation)
        return nextID
    }

    /// Removes a subscriber; returns whether there was one of this id.
    mutating func remove(_ id: Int) -> Bool {
        let gone = all.removeValue(forKey: id)
        gone?.polls?.cancel()
        return gone != nil
    }

    /// Sends a signal to the subscribers of a topic, or to all.
    func notify(_ signal: LiveSignal, topic: String? = nil) {
        for subscriber in all.values where topic == nil || subscriber.topic == topic {
            subscriber.continuation.yield(signal)
        }
    }

    /// Starts the polls that do not run yet.
    mutating func startPolls() {
        for (id, subscriber) in all where subscriber.polls == nil {
            guard let interval = subscriber.pollEvery else { continue }
            let (clock, continuation) = (clock, subscriber.continuation)
            // Ends when a socket takes over, the subscriber leaves, or the session ends.
            let polls = work.start {
                while (try? await clock.sleep(for: interval)) != nil { continuation.yield(.poll) }
            }
            all[id]?.polls = polls
        }
    }

    mutating func stopPolls() {
        for id in all.keys {
            all[id]?.polls?.cancel()
            all[id]?.polls = nil
        }
    }

    /// Ends every stream.
    mutating func finish() {
        stopPolls()
        let ended = all
        all = [:]
        ended.values.forEach { $0.continuation.finish() }
    }
}

/// A signal to the subscribers of a topic. No signal carries state: the subscriber pulls it by version.
package enum LiveSignal: Hashable, Sendable {
    /// The topic has at least this version now.
    case changed(version: Int64)
    /// There is no socket, and the subscriber's interval passed: look for changes.
    case poll
    /// The socket works. Changes from the time without it may be missing: look for changes once.
    case connected
    /// The socket is gone; polls follow at the subscriber's interval.
    case disconnected
}
