import NIOConcurrencyHelpers

/// A sleep that can be ended early, for one sleeper at a time.
///
/// An `AsyncStream` would not do: it ends for good when the task that reads it is cancelled, and every later sleep
/// would end at once.
package final class Wakeup: Sendable {
    private enum State {
        case quiet
        case signaled
        case sleeping(CheckedContinuation<Void, Never>)
    }

    private let state = NIOLockedValueBox(State.quiet)

    package init() {}

    /// Whether a task sleeps.
    var isSleeping: Bool {
        state.withLockedValue { if case .sleeping = $0 { true } else { false } }
    }

    /// Ends the sleep under way, or else the next one at once. Cheap; may be called on any thread.
    package func signal() {
        let sleeper = state.withLockedValue { state -> CheckedContinuation<Void, Never>? in
            guard case .sleeping(let sleeper) = state else {
                state = .signaled
                return nil
            }
            state = .quiet
            return sleeper
        }
        sleeper?.resume()
    }

    /// Sleeps until ``signal()`` is called, for the pause at most; returns at once when the task is cancelled.
    package func sleep(atMost pause: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            // Only cancellation ends the sleep early, and both children end with this group.
            group.addTask { try? await Task.sleep(for: pause, tolerance: .milliseconds(1)) }
            group.addTask { await self.untilSignaled() }
            await group.next()
            group.cancelAll()
        }
    }

    private func untilSignaled() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper in
                let goesOn = state.withLockedValue { state -> Bool in
                    guard case .quiet = state, !Task.isCancelled else {
                        if case .signaled = state { state = .quiet }
                        return true
                    }
                    state = .sleeping(sleeper)
                    return false
                }
                if goesOn { sleeper.resume() }
            }
        } onCancel: {
            let sleeper = state.withLockedValue { state -> CheckedContinuation<Void, Never>? in
                guard case .sleeping(let sleeper) = state else { return nil }
                state = .quiet
                return sleeper
            }
            sleeper?.resume()
        }
    }
}
