@_spi(Inlay) import InlayWire

/// The reason why an item was not enqueued.
package enum OutboxError: Error, Hashable, Sendable {
    /// No lane of that name was registered.
    case unknownLane(String)
    /// The item has more bytes of JSON than any request may carry.
    case itemTooLarge(bytes: Int)
    /// The session was logged out.
    case loggedOut
}

/// The error while a `Retry-After` of the server lasts; `until` is a time of the device's clock.
struct OutboxRetryDelay: Error, Hashable, Sendable {
    let until: Timestamp
}
