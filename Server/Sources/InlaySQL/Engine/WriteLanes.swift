/// The write lanes of a database. Each is made at its first use and lives until the database closes.
///
/// The same name with and without shared commits is two lanes, so that one caller's choice does not affect another.
final class WriteLanes<Lane: Sendable>: Sendable {
    private struct Key: Hashable {
        let name: String
        let sharesCommits: Bool
    }

    private struct State {
        var lanes: [Key: Lane]
        var isClosed = false
    }

    private let state: Locked<State>
    private let end: @Sendable (Lane) -> Void

    /// Makes the lanes, with `main` as the first; `end` makes a lane refuse new work.
    init(main: Lane? = nil, end: @escaping @Sendable (Lane) -> Void) {
        let first = main.map { [Key(name: "main", sharesCommits: true): $0] }
        state = Locked(State(lanes: first ?? [:]))
        self.end = end
    }

    /// All lanes made so far.
    var all: [Lane] { state.withLock { Array($0.lanes.values) } }

    /// Returns the lane of this name and kind, and makes it at its first use. After ``close()`` a new lane is ended at
    /// once.
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

    /// Ends all lanes and those made later.
    func close() {
        let lanes = state.withLock { state in
            state.isClosed = true
            return Array(state.lanes.values)
        }
        lanes.forEach(end)
    }
}
