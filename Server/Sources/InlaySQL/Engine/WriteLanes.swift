/// The write lanes of a database, each made when it is first asked for, until the database closes.
///
/// Callers of one name that disagree about sharing commits have a lane each: no caller decides for another.
final class WriteLanes<Lane: Sendable>: Sendable {
    private struct Key: Hashable {
        let name: String
        let sharesCommits: Bool
    }

    private struct State {
        var lanes: [Key: Lane]
        var isClosed = false
    }

    private let state: Guarded<State>
    private let end: @Sendable (Lane) -> Void

    /// Lanes of which `main` is the first, if there is one; `end` has a lane refuse new work.
    init(main: Lane? = nil, end: @escaping @Sendable (Lane) -> Void) {
        let first = main.map { [Key(name: "main", sharesCommits: true): $0] }
        state = Guarded(State(lanes: first ?? [:]))
        self.end = end
    }

    /// The lanes so far.
    var all: [Lane] { state.withLock { Array($0.lanes.values) } }

    /// Returns the lane of this name and kind, or makes it. After ``close()`` a new one is ended before anybody has it.
    func lane(_ name: String, sharesCommits: Bool, make: () -> Lane) -> Lane {
        let (lane, isLate) = state.withLock { state in
            let key = Key(name: name, sharesCommits: sharesCommits)
            if let lane = state.lanes[key] { return (lane, false) }
            let lane = make()
            if !state.isClosed { state.lanes[key] = lane }
            return (lane, state.isClosed)
        }
        if isLate { end(lane) }
        return lane
    }

    /// Ends all lanes, and those that are asked for from now on.
    func close() {
        let lanes = state.withLock { state in
            state.isClosed = true
            return Array(state.lanes.values)
        }
        lanes.forEach(end)
    }
}
