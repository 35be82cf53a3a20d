import Dispatch

/// A latch for code that holds its thread while it waits, such as the body of a transaction.
public final class BlockingLatch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// A closed latch.
    public init() {}

    /// Lets everybody go on who waits or will.
    public func open() { semaphore.signal() }

    /// Holds the thread until the latch is open.
    ///
    /// - Throws: ``LatchStayedClosed`` after a minute: a test whose other half never came must not pass.
    public func wait() throws {
        guard semaphore.wait(timeout: .now() + 60) == .success else { throw LatchStayedClosed() }
        semaphore.signal()
    }
}

/// Nobody opened a latch in time.
public struct LatchStayedClosed: Error {}
