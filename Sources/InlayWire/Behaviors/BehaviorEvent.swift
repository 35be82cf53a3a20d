/// A universal event on the wire: something that a user did, with its code and attributes.
///
/// The format is the documented one of `/rest/events/submission`, to which Inlay adds the id. Inlay's server drops
/// copies by the id; other servers ignore it.
public struct BehaviorEvent: Codable, Hashable, Sendable, Identifiable {
    /// UUIDv7 made on the device.
    public var id: String
    /// The type as digits, see `BehaviorCode`; a string on the wire.
    public var eventTypeCode: String
    /// The time of the event: RFC 3339 in UTC with milliseconds, by the device's clock corrected with the
    /// server's offset.
    public var eventTimestamp: String
    /// The id of the event's contact; left out when the sender does not know it.
    public var contactId: String?
    /// The attributes of the event. A name occurs once.
    public var attributes: [Attribute]

    /// A name with its value; both are strings on the wire.
    public struct Attribute: Codable, Hashable, Sendable {
        /// The name, for example `Goal Name`.
        public var name: String
        /// The value; empty when the sender had none.
        public var value: String

        /// A name with its value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            // Older senders write null for "no value".
            value = try container.decodeIfPresent(String.self, forKey: .value) ?? ""
        }
    }

    /// Creates an event.
    public init(
        id: String, eventTypeCode: String, eventTimestamp: String, contactId: String? = nil,
        attributes: [Attribute] = []
    ) {
        self.id = id
        self.eventTypeCode = eventTypeCode
        self.eventTimestamp = eventTimestamp
        self.contactId = contactId
        self.attributes = attributes
    }

    /// The value of an attribute; `nil` when there is none of that name.
    public subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// The body of `POST /rest/events/submission`.
///
/// Inlay's server answers with a `BatchReceipt`: one receipt per event, in the same order.
@_spi(Inlay) public struct EventSubmission: Codable, Hashable, Sendable {
    /// The events in the order in which they happened; at most 500.
    public var events: [BehaviorEvent]

    /// A submission of events in order.
    public init(events: [BehaviorEvent]) { self.events = events }
}
