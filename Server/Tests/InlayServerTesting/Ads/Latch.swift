import NIOConcurrencyHelpers

/// A latch: all waiting tasks go on once it has been opened.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = NIOLockedValueBox(State())

    func wait() async {
        await withCheckedContinuation { waiter in
            let goesOn = state.withLockedValue { state in
                if !state.isOpen { state.waiting.append(waiter) }
                return state.isOpen
            }
            if goesOn { waiter.resume() }
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
