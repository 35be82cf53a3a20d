/// Why an item was not enqueued.
package enum OutboxError: Error, Hashable, Sendable {
    /// No lane of that name was registered.
    case unknownLane(String)
    /// The item has more bytes of JSON than any request may carry.
    case itemTooLarge(bytes: Int)
    /// The session was logged out.
    case loggedOut
}
