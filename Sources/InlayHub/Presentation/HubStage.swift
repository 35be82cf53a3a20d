import InlayCore

/// The one place where a hub can be on screen.
final class HubStage: Sendable {
    private let presentation = Locked<HubPresentation?>(nil)

    /// What is on screen.
    var current: HubPresentation? { presentation.withLock { $0 } }

    /// Puts a hub on screen; false when there is one.
    func enter(_ new: HubPresentation) -> Bool {
        presentation.withLock { current in
            guard current == nil else { return false }
            current = new
            return true
        }
    }

    /// Takes a hub off screen; false when it is not on it.
    func leave(_ old: HubPresentation) -> Bool {
        presentation.withLock { current in
            guard current === old else { return false }
            current = nil
            return true
        }
    }
}
