#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
@_spi(Inlay) public import InlayWire

/// The time, and waiting, so that a test can stand in for both.
@_spi(Inlay) public protocol TrustClock: Sendable {
    /// The moment that expiry is measured against.
    func now() -> Timestamp

    /// Returns after the duration; throws when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The machine's clock.
@_spi(Inlay) public struct SystemTrustClock: TrustClock {
    /// The machine's clock.
    public init() {}

    /// Asks the C library for the time, so that tools that stand in for it are believed.
    public func now() -> Timestamp { Timestamp(microseconds: Int64(time(nil)) * 1_000_000) }

    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
