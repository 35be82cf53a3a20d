/// Something that happened on a device and that the team wants to count.
///
/// The server keeps one row per `id`, however often the event arrives.
@_spi(Inlay) public struct AnalyticsEvent: Codable, Hashable, Sendable, Identifiable {
    /// UUIDv7 made on the device.
    public var id: String
    /// The documented name, for example `card-displayed`.
    public var name: String
    /// The time of the event, by the device's clock corrected with the server's offset.
    public var time: Timestamp
    /// The id of the container where the event happened, if any.
    public var containerID: String?
    /// The id of the card that the event is about, if any.
    public var cardID: String?
    /// The host app's version; `unknown` when the app gave none.
    public var clientVersion: String
    /// The properties of this kind of event, for example `reason` of `card-voted-down`.
    public var properties: [String: JSONValue]

    /// Creates an event.
    public init(
        id: String, name: String, time: Timestamp, containerID: String? = nil, cardID: String? = nil,
        clientVersion: String = "unknown", properties: [String: JSONValue] = [:]
    ) {
        self.id = id
        self.name = name
        self.time = time
        self.containerID = containerID
        self.cardID = cardID
        self.clientVersion = clientVersion
        self.properties = properties
    }
}

/// The result of one item of a batch.
@_spi(Inlay) public struct ItemReceipt: Codable, Hashable, Sendable {
    /// The item's id.
    public var id: String
    /// The reason why the item was refused permanently; `nil` when it took effect, now or with an earlier copy.
    public var refusal: Problem?

    /// A receipt; without a refusal the item was accepted.
    public init(id: String, refusal: Problem? = nil) {
        self.id = id
        self.refusal = refusal
    }
}

/// The body of a batch sent by the SDK.
@_spi(Inlay) public struct Batch<Item: Codable & Sendable>: Codable, Sendable {
    /// The items in the order in which they happened; at most 500.
    public var items: [Item]

    /// A batch of items in order.
    public init(items: [Item]) { self.items = items }
}

/// The response to a batch: one receipt per item, in the same order.
@_spi(Inlay) public struct BatchReceipt: Codable, Hashable, Sendable {
    /// One receipt per item.
    public var receipts: [ItemReceipt]

    /// Creates a response.
    public init(receipts: [ItemReceipt]) { self.receipts = receipts }
}
