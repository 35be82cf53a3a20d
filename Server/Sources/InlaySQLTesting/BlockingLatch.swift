import Dispatch

/// A latch that blocks the waiting thread, for code such as the body of a transaction.
public final class BlockingLatch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Creates a closed latch.
    public init() {}

    /// Opens the latch for all current and later waiters.
    public func open() { semaphore.signal() }

    /// Blocks the thread until the latch is open.
    ///
    /// - Throws: ``LatchStayedClosed`` after a minute, so that a test whose latch is never opened fails.
    public func wait() throws {
        guard semaphore.wait(timeout: .now() + 60) == .success else { throw LatchStayedClosed() }
        semaphore.signal()
    }
}

/// The error of a latch that was not opened in time.
public struct LatchStayedClosed: Error {}
