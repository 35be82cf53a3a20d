import InlayCore
import InlayTesting

/// A door that a test opens.
final class Door: Sendable {
    private let isOpen = Locked(false)
    private let watch = Watch()

    func open() {
        isOpen.withLock { $0 = true }
        watch.changed()
    }

    /// Returns when the door is open.
    func pass() async { try? await watch.until(within: .seconds(60)) { self.isOpen.withLock { $0 } } }
}
