@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
import Testing

/// A gate that blocks callers until a test opens it.
final class Latch: Sendable {
    private let isOpen = Locked(false)
    private let signal = ConditionSignal()

    func open() {
        isOpen.withLock { $0 = true }
        signal.changed()
    }

    /// Waits until the latch is open; records an issue after a minute.
    func wait(_ location: SourceLocation = #_sourceLocation) async {
        do {
            try await signal.until(within: .seconds(60)) { self.isOpen.withLock { $0 } }
        } catch  where !Task.isCancelled {
            Issue.record("The latch was not opened within a minute.", sourceLocation: location)
        } catch {}
    }
}
