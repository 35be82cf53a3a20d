/// Asks the app's provider with a time limit that holds even when the provider never returns.
///
/// A task group would wait for the provider. Here the first of answer and limit wins; what comes
/// later is dropped.
enum FirstAnswer {
    static func of(
        _ provider: @escaping TokenProvider, within limit: Duration, clock: any SessionClock,
        work: SessionWork
    ) async -> Result<String?, TokenError> {
        let race = Race()
        return await withCheckedContinuation { continuation in
            race.begin(continuation)
            race.add(
                work.start {
                    let token = await provider()
                    race.finish(.success(token))
                })
            race.add(
                work.start {
                    do {
                        try await clock.sleep(for: limit)
                        race.finish(.failure(.timedOut))
                    } catch {
                        // Cancelled: by the winner, for whom this changes nothing, or by log-out.
                        race.finish(.failure(.loggedOut))
                    }
                })
        }
    }

    private final class Race: Sendable {
        private struct State {
            var continuation: CheckedContinuation<Result<String?, TokenError>, Never>?
            var runners: [Task<Void, Never>] = []
            var isOver = false
        }

        private let state = Locked(State())

        func begin(_ continuation: CheckedContinuation<Result<String?, TokenError>, Never>) {
            state.withLock { $0.continuation = continuation }
        }

        func add(_ runner: Task<Void, Never>) {
            let isOver = state.withLock { state in
                if !state.isOver { state.runners.append(runner) }
                return state.isOver
            }
            if isOver { runner.cancel() }
        }

        func finish(_ result: Result<String?, TokenError>) {
            let (continuation, runners) = state.withLock { state in
                state.isOver = true
                defer { (state.continuation, state.runners) = (nil, []) }
                return (state.continuation, state.runners)
            }
            continuation?.resume(returning: result)
            runners.forEach { $0.cancel() }
        }
    }
}
