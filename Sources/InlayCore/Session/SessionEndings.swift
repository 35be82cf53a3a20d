/// The work that features do when their session ends, in the order in which they added it.
final class SessionEndings: Sendable {
    private struct State {
        var beforeLogOut: [@Sendable () async -> Void] = []
        var onLogOut: [@Sendable () async -> Void] = []
        var onRelease: [@Sendable () -> Void] = []
        var isReleased = false
    }

    private let state = Locked(State())

    func add(beforeLogOut work: @escaping @Sendable () async -> Void) {
        state.withLock { if !$0.isReleased { $0.beforeLogOut.append(work) } }
    }

    func add(onLogOut work: @escaping @Sendable () async -> Void) {
        state.withLock { if !$0.isReleased { $0.onLogOut.append(work) } }
    }

    func add(onRelease work: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isReleased { state.onRelease.append(work) }
            return state.isReleased
        }
        if isLate { work() }
    }

    /// Runs the work that comes before pending items are sent at log-out, each piece once.
    func runBeforeLogOut() async { await run(\.beforeLogOut) }

    /// Runs the work that comes after pending items were sent at log-out, each piece once.
    func runOnLogOut() async { await run(\.onLogOut) }

    /// Runs the release work of a session that the app released, and forgets all work, which retains the features.
    func release() {
        let all = state.withLock { state in
            defer { state = State(isReleased: true) }
            return state
        }
        all.onRelease.forEach { $0() }
    }

    private func run(_ works: WritableKeyPath<State, [@Sendable () async -> Void]> & Sendable) async {
        let taken = state.withLock { state in
            defer { state[keyPath: works] = [] }
            return state[keyPath: works]
        }
        for work in taken { await work() }
    }
}
