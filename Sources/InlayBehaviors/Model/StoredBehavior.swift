@_spi(Inlay) public import InlayWire

/// An event as this device keeps it.
public struct StoredBehavior: Hashable, Sendable, Identifiable {
    /// The state of an event on its way. The raw values are the documented names.
    public enum State: String, CaseIterable, Sendable {
        /// Plug-ins are still adding to it.
        case hold = "HOLD"
        /// Ready, and waiting for a batch, a flush or the network.
        case notPosted = "NOT_POSTED"
        /// The server has it.
        case posted = "SUCCESSFULLY_POSTED"
        /// Given up, see `problem`; only `requeueFailed` sends it again.
        case failed = "FAILED_POST"
    }

    /// The event's id.
    public var id: String
    /// The state of the event.
    public var state: State
    /// The event with everything that goes to the server.
    public var event: BehaviorEvent
    /// The number of attempts that count against the maximum.
    public var tries: Int
    /// The reason why it was given up.
    public var problem: Problem?
}
