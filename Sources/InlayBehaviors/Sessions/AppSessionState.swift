@_spi(Inlay) import InlayWire

/// The state of one app session, by the device's clock.
///
/// The server's clock is not used, because a large offset that becomes known during a session would make the session
/// years long.
struct AppSessionState: Codable, Hashable, Sendable {
    /// The active time before `since`, in microseconds.
    private(set) var active: Int64 = 0
    /// The time at which the app moved to the foreground; `nil` while it is in the background.
    private(set) var since: Timestamp?
    /// The last time at which the app was seen in the foreground.
    private(set) var seen: Timestamp

    init(at now: Timestamp) { (since, seen) = (now, now) }

    /// The active time in whole seconds.
    var seconds: Int64 { active / 1_000_000 }

    /// Notes that the app is still in the foreground.
    mutating func seeInForeground(at now: Timestamp) { if since != nil { seen = max(seen, now) } }

    /// Adds the active time, because the app moves to the background.
    mutating func leave(at now: Timestamp) {
        guard let since else { return }
        active += max(0, (now - since).microseconds)
        (self.since, seen) = (nil, max(now, since))
    }

    /// Notes that the app has moved to the foreground.
    mutating func enter(at now: Timestamp) {
        guard since == nil else { return }
        (since, seen) = (now, now)
    }

    /// Ends the use of an earlier run that crashed, at the last time at which the app was seen in the foreground.
    mutating func recover() { leave(at: seen) }

    /// Returns the end of the session; `nil` unless the app was in the background for at least `expiration`.
    func end(at now: Timestamp, expiration: Duration) -> Timestamp? {
        guard since == nil, now - seen >= expiration else { return nil }
        return min(seen + expiration, now)
    }
}
