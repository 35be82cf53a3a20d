@_spi(Inlay) public import InlayWire

/// An event that is stored on this device.
public struct StoredBehavior: Hashable, Sendable, Identifiable {
    /// The state of a stored event. The raw values are the documented names.
    public enum State: String, CaseIterable, Sendable {
        /// Plug-ins are processing the event, or the event waits until the user is identified.
        case hold = "HOLD"
        /// The event is ready and waits for a batch, a flush or the network.
        case notPosted = "NOT_POSTED"
        /// The server has accepted the event.
        case posted = "SUCCESSFULLY_POSTED"
        /// The event was given up, see `problem`; only `requeueFailed` sends it again.
        case failed = "FAILED_POST"
    }

    /// The event's id.
    public var id: String
    /// The state of the event.
    public var state: State
    /// The event as it is sent to the server.
    public var event: BehaviorEvent
    /// The number of attempts that count against the maximum.
    public var tries: Int
    /// The reason why the event was given up.
    public var problem: Problem?
}
