/// A time limit for the app's code that holds even when that code never returns.
///
/// A task group would wait for that code. Here the first of result and limit wins, and a later result is dropped.
package enum TimeLimit {
    /// Returns the result of `body`, or `nil` when the limit came first.
    package static func run<Value: Sendable>(
        _ limit: Duration, clock: any SessionClock, work: SessionWork,
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let (answers, continuation) = AsyncStream.makeStream(
            of: Value?.self, bufferingPolicy: .bufferingOldest(1))
        // Ends with the app's answer; its task is cancelled when the limit comes first.
        let asked = work.start { _ = continuation.yield(await body()) }
        // Ends at the limit, or is cancelled by the answer.
        let timer = work.start {
            try? await clock.sleep(for: limit)
            continuation.yield(nil)
        }
        defer {
            asked.cancel()
            timer.cancel()
        }
        for await answer in answers { return answer }
        return nil
    }
}
