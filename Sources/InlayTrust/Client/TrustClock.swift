#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
@_spi(Inlay) public import InlayWire

/// A clock for expiry and for waiting, which tests replace.
@_spi(Inlay) public protocol TrustClock: Sendable {
    /// Returns the time against which expiry is measured.
    func now() -> Timestamp

    /// Returns after the duration; throws when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The machine's clock.
@_spi(Inlay) public struct SystemTrustClock: TrustClock {
    /// The machine's clock.
    public init() {}

    /// Asks the C library for the time, so that tools that replace its time take effect.
    public func now() -> Timestamp { Timestamp(microseconds: Int64(time(nil)) * 1_000_000) }

    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
