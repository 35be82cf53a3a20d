/// What a subscriber of a topic hears. No signal carries state: the subscriber pulls it by version.
package enum LiveSignal: Hashable, Sendable {
    /// The topic has at least this version now.
    case changed(version: Int64)
    /// There is no socket, and the subscriber's interval passed: look for news.
    case poll
    /// The socket works. What changed while it did not may be missing: look for news once.
    case connected
    /// The socket is gone; polls follow at the subscriber's interval.
    case disconnected
}
