/// The life cycle of a session; it only moves forward.
package final class SessionState: Sendable {
    package enum Phase: Int, Sendable { case active, loggingOut, ended }

    private let phase = Locked(Phase.active)

    package init() {}

    package var current: Phase { phase.withLock { $0 } }

    /// Advances to a phase; returns false when the session had already reached it.
    package func advance(to next: Phase) -> Bool {
        phase.withLock { phase in
            guard phase.rawValue < next.rawValue else { return false }
            phase = next
            return true
        }
    }
}
