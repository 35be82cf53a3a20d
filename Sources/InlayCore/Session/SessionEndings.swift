/// The work that features do when their session ends, in the order in which they added it.
final class SessionEndings: Sendable {
    private struct State {
        var leaving: [@Sendable () async -> Void] = []
        var ending: [@Sendable () async -> Void] = []
        var releases: [@Sendable () -> Void] = []
        var isReleased = false
    }

    private let state = Locked(State())

    func add(leaving work: @escaping @Sendable () async -> Void) {
        state.withLock { if !$0.isReleased { $0.leaving.append(work) } }
    }

    func add(ending work: @escaping @Sendable () async -> Void) {
        state.withLock { if !$0.isReleased { $0.ending.append(work) } }
    }

    func add(release work: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isReleased { state.releases.append(work) }
            return state.isReleased
        }
        if isLate { work() }
    }

    /// Runs the work that comes before pending items are sent at log-out, each piece once.
    func runLeaving() async { await run(\.leaving) }

    /// Runs the work that comes after pending items were sent at log-out, each piece once.
    func runEnding() async { await run(\.ending) }

    /// Runs the release work of a session that the app released, and forgets all work, which retains the features.
    func release() {
        let all = state.withLock { state in
            defer { state = State(isReleased: true) }
            return state
        }
        all.releases.forEach { $0() }
    }

    private func run(_ works: WritableKeyPath<State, [@Sendable () async -> Void]> & Sendable) async {
        let taken = state.withLock { state in
            defer { state[keyPath: works] = [] }
            return state[keyPath: works]
        }
        for work in taken { await work() }
    }
}
