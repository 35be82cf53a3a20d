import InlayServerCore
import NIOConcurrencyHelpers

/// Requests at a fixed rate that does not depend on the response times, so that a stall of the server delays every request
/// that is due during it, and not only one.
struct SteadyRequests: Sendable {
    /// The time from one request to the next.
    var pause: Duration = .milliseconds(20)
    /// Sends the request of this number and returns with its answer.
    let ask: @Sendable (Int) async throws -> Void

    fileprivate typealias Timing = (due: ContinuousClock.Instant, came: ContinuousClock.Instant)

    /// Response times, each counted from the moment at which its request was due.
    struct Outcome: Sendable {
        fileprivate let start: ContinuousClock.Instant
        fileprivate var answers: [Timing] = []

        var p99Millis: Double { Percentiles(answers.map { ($0.came - $0.due) / .milliseconds(1) }).at(99) }

        /// The longest time between two responses.
        var maximumInterval: Duration {
            let moments = [start] + answers.map(\.came).sorted()
            return zip(moments, moments.dropFirst()).map { $1 - $0 }.max() ?? .zero
        }
    }

    /// Sends requests for some seconds.
    func run(seconds: Int) async throws -> Outcome {
        // The sleep only sets for how long requests are sent.
        try await run { try await Task.sleep(for: .seconds(seconds)) }.outcome
    }

    /// Sends requests until the body has ended.
    func run<R: Sendable>(
        during body: @Sendable () async throws -> R
    ) async throws -> (result: R, outcome: Outcome) {
        let isOver = NIOLockedValueBox(false)
        async let outcome = answers { isOver.withLockedValue { $0 } }
        let result = try await body()
        isOver.withLockedValue { $0 = true }
        return (result, try await outcome)
    }

    private func answers(until isOver: @Sendable () -> Bool) async throws -> Outcome {
        try await withThrowingTaskGroup(of: Timing.self) { group in
            var outcome = Outcome(start: .now)
            var (number, due) = (0, outcome.start)
            while !isOver() {
                // Ends with the answer.
                group.addTask { [number, due] in
                    try await ask(number)
                    return (due, ContinuousClock.now)
                }
                number += 1
                due += pause
                // The sleep has a fixed end, so that a late wake-up does not lower the rate.
                try await Task.sleep(until: due)
            }
            for try await answer in group { outcome.answers.append(answer) }
            return outcome
        }
    }
}
