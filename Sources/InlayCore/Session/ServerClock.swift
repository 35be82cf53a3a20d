@_spi(Inlay) package import InlayWire

/// The server's clock: the device's own plus the offset learned from the server's answers.
///
/// Everything that the server decides by time (embargo, snooze, expiry, tokens) is compared with this
/// clock, so that a wrong device clock changes nothing.
package final class ServerClock: Sendable {
    private let clock: any SessionClock
    private let offset: Locked<Duration>
    private let keep: @Sendable (Duration) -> Void

    /// Creates a clock with the offset of the last run; calls `keep` with each new offset.
    package init(
        clock: any SessionClock, offset: Duration = .zero,
        keep: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        self.clock = clock
        self.offset = Locked(offset)
        self.keep = keep
    }

    /// Returns the current time by the server's clock.
    package func now() -> Timestamp { clock.now() + offset.withLock { $0 } }

    /// The difference between the server's clock and the device's; positive when the server is ahead.
    package var currentOffset: Duration { offset.withLock { $0 } }

    /// Updates the offset from a response that was requested at `sent` and arrived at `received`, by the device's
    /// clock.
    ///
    /// The server wrote its time somewhere between the two, so the offset is only known to half the round trip. An
    /// offset that agrees within that stays: slow responses must not make time jump.
    package func learn(_ serverTime: Timestamp, sent: Timestamp, received: Timestamp) {
        // No offset can be measured when the device clock was set back during the call.
        guard received >= sent else { return }
        let uncertainty = (received - sent) / 2
        let measured = serverTime - (sent + uncertainty)
        let changed = offset.withLock { offset in
            let difference = measured > offset ? measured - offset : offset - measured
            guard difference > max(uncertainty, .milliseconds(1)) else { return false }
            offset = measured
            return true
        }
        if changed { keep(measured) }
    }
}
