/// The body of `POST /rest/events/submission`.
///
/// Our server answers with a `BatchReceipt`: one receipt per event, in the same order.
public struct EventSubmission: Codable, Hashable, Sendable {
    /// The events in the order in which they happened; at most 500.
    public var events: [BehaviorEvent]

    /// A submission of events in order.
    public init(events: [BehaviorEvent]) { self.events = events }
}
