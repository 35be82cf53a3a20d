@_spi(Inlay) import InlayWire

/// One stretch of use of the app, in the device's time.
///
/// The device's clock and not the server's: an offset that is learned in the middle must not make a
/// session years long.
struct UseState: Codable, Hashable, Sendable {
    /// The active time before `since`.
    private(set) var active: Int64 = 0
    /// Since when the app is in front; `nil` while it is not.
    private(set) var since: Timestamp?
    /// The last time at which the app was seen in the foreground.
    private(set) var seen: Timestamp

    init(at now: Timestamp) { (since, seen) = (now, now) }

    /// The active time in whole seconds.
    var seconds: Int64 { active / 1_000_000 }

    /// Notes that the app is in front still.
    mutating func seeInForeground(at now: Timestamp) { if since != nil { seen = max(seen, now) } }

    /// The app is left.
    mutating func leave(at now: Timestamp) {
        guard let since else { return }
        active += max(0, (now - since).microseconds)
        (self.since, seen) = (nil, max(now, since))
    }

    /// The app is in front again.
    mutating func enter(at now: Timestamp) {
        guard since == nil else { return }
        (since, seen) = (now, now)
    }

    /// An earlier run never said that it ended: it ended when it was seen last.
    mutating func recover() { leave(at: seen) }

    /// The end of the session; `nil` unless the app was in the background for at least `expiration`.
    func end(at now: Timestamp, expiration: Duration) -> Timestamp? {
        guard since == nil, now - seen >= expiration else { return nil }
        return min(seen + expiration, now)
    }
}
