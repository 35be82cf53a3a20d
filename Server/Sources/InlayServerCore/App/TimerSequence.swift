/// A timer as a sequence: one element at the end of every interval until the task is cancelled.
///
/// Inside `cancelWhenGracefulShutdown` a loop over it ends when the server stops.
package struct TimerSequence: AsyncSequence, Sendable {
    package typealias Element = ContinuousClock.Instant
    package typealias Failure = Never

    private let interval: Duration

    /// Creates a sequence with one element after every interval; missed elements are not made up for.
    package init(every interval: Duration) { self.interval = interval }

    package func makeAsyncIterator() -> Iterator { Iterator(interval: interval) }

    /// Waits for the next element.
    package struct Iterator: AsyncIteratorProtocol {
        let interval: Duration

        package mutating func next() async -> ContinuousClock.Instant? {
            // Sleeping only throws for cancellation, which is the end of this sequence.
            guard (try? await ContinuousClock().sleep(for: interval)) != nil else { return nil }
            return .now
        }
    }
}
