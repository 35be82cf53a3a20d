public import InlayWire

/// An event as this device keeps it.
public struct StoredBehavior: Hashable, Sendable, Identifiable {
    /// Where an event is on its way. The raw values are the documented names.
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
    /// Where it is.
    public var state: State
    /// The event with everything that goes to the server.
    public var event: BehaviorEvent
    /// How many tries were spent on it.
    public var tries: Int
    /// Why it was given up.
    public var problem: Problem?
}
