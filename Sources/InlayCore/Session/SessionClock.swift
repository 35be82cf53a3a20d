@_spi(Inlay) public import InlayWire
import Foundation

/// The clock of the device; tests use one that they advance by hand.
public protocol SessionClock: Sendable {
    /// Returns the current time, as far as the device knows it.
    func now() -> Timestamp

    /// Waits for the duration. Throws `CancellationError` as soon as the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The system's clock.
public struct SystemClock: SessionClock {
    /// The system's clock.
    public init() {}

    public func now() -> Timestamp { Timestamp(seconds: Date().timeIntervalSince1970) }

    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
