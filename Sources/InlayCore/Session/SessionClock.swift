@_spi(Inlay) public import InlayWire
import Foundation

/// The device's clock as the SDK sees it; tests bring one that they move by hand.
public protocol SessionClock: Sendable {
    /// The moment, as far as the device knows it.
    func now() -> Timestamp

    /// Waits. Throws `CancellationError` as soon as the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The system's clock.
public struct SystemClock: SessionClock {
    /// The system's clock.
    public init() {}

    public func now() -> Timestamp { Timestamp(seconds: Date().timeIntervalSince1970) }

    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
