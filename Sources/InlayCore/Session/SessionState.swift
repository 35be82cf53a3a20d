/// The life cycle of a session; it only moves forward.
package final class SessionState: Sendable {
    package enum Phase: Int, Sendable { case active, loggingOut, ended }

    private let phase = Locked(Phase.active)

    package init() {}

    /// The phase now.
    package var current: Phase { phase.withLock { $0 } }

    /// Moves on; false when the session was already there or further.
    package func advance(to next: Phase) -> Bool {
        phase.withLock { phase in
            guard phase.rawValue < next.rawValue else { return false }
            phase = next
            return true
        }
    }
}
