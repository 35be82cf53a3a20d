import InlayServerCore
import NIOConcurrencyHelpers

/// Requests at a fixed rate that does not depend on the response times, so that a stall of the server delays every
/// request that is due during the stall, and not only one.
struct SteadyRequests: Sendable {
    /// The time from one request to the next.
    var pause: Duration = .milliseconds(20)
    /// Sends the request with this number and returns when the response has arrived.
    let send: @Sendable (Int) async throws -> Void

    fileprivate typealias Timing = (due: ContinuousClock.Instant, responded: ContinuousClock.Instant)

    /// The response times, each counted from the time at which its request was due.
    struct Outcome: Sendable {
        fileprivate let start: ContinuousClock.Instant
        fileprivate var timings: [Timing] = []

        var p99Millis: Double {
            Percentiles(timings.map { ($0.responded - $0.due) / .milliseconds(1) }).at(99)
        }

        /// The longest time between two responses.
        var maximumInterval: Duration {
            let moments = [start] + timings.map(\.responded).sorted()
            return zip(moments, moments.dropFirst()).map { $1 - $0 }.max() ?? .zero
        }
    }

    /// Sends requests for some seconds.
    func run(seconds: Int) async throws -> Outcome {
        // The sleep only sets the time during which requests are sent.
        try await run { try await Task.sleep(for: .seconds(seconds)) }.outcome
    }

    /// Sends requests until the body has ended.
    func run<R: Sendable>(
        during body: @Sendable () async throws -> R
    ) async throws -> (result: R, outcome: Outcome) {
        let isOver = NIOLockedValueBox(false)
        async let outcome = sendAll { isOver.withLockedValue { $0 } }
        let result = try await body()
        isOver.withLockedValue { $0 = true }
        return (result, try await outcome)
    }

    private func sendAll(until isOver: @Sendable () -> Bool) async throws -> Outcome {
        try await withThrowingTaskGroup(of: Timing.self) { group in
            var outcome = Outcome(start: .now)
            var (number, due) = (0, outcome.start)
            while !isOver() {
                // Ends with the response.
                group.addTask { [number, due] in
                    try await send(number)
                    return (due, ContinuousClock.now)
                }
                number += 1
                due += pause
                // The sleep has a fixed end, so that a late wake-up does not lower the rate.
                try await Task.sleep(until: due)
            }
            for try await timing in group { outcome.timings.append(timing) }
            return outcome
        }
    }
}
