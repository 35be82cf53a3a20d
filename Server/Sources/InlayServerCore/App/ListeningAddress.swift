import NIOConcurrencyHelpers

/// The port that a server listens on, for callers that wait for it.
package final class ListeningAddress: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Int?, Never>])
        case known(Int?)
    }
    private let state = NIOLockedValueBox(State.waiting([]))
    private let open = AsyncStream.makeStream(of: Void.self)

    package init() {}

    package func port() async -> Int? {
        await withCheckedContinuation { continuation in
            let known: Int?? = state.withLockedValue {
                switch $0 {
                case .known(let port): return .some(port)
                case .waiting(let others):
                    $0 = .waiting(others + [continuation])
                    return nil
                }
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    package func didStart(on port: Int?) { settle(port) }

    /// Notes that the server no longer listens.
    func didStop() { open.continuation.finish() }

    /// Waits until the server no longer listens, or until the task is cancelled. For one caller.
    package func waitUntilStopped() async { for await _ in open.stream {} }

    /// Ends all waits with `nil` when the server stopped before it listened.
    package func finish() { settle(nil) }

    private func settle(_ port: Int?) {
        let waiting = state.withLockedValue { state -> [CheckedContinuation<Int?, Never>] in
            guard case .waiting(let waiting) = state else { return [] }
            state = .known(port)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: port) }
    }
}
