import NIOConcurrencyHelpers

/// A latch that lets all waiting tasks continue once it is open. A wait does not end at cancellation.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = NIOLockedValueBox(State())

    func wait() async {
        await withCheckedContinuation { waiter in
            let isAlreadyOpen = state.withLockedValue { state in
                if !state.isOpen { state.waiting.append(waiter) }
                return state.isOpen
            }
            if isAlreadyOpen { waiter.resume() }
        }
    }

    func open() {
        let waiting = state.withLockedValue { state in
            defer { state = State(isOpen: true) }
            return state.waiting
        }
        for waiter in waiting { waiter.resume() }
    }
}
