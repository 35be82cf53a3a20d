@_spi(Inlay) public import InlayWire

/// An event of a session that the app may observe.
public struct SessionEvent: Hashable, Sendable {
    /// The kind of an event. The set grows with the features.
    public struct Name: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        public let rawValue: String

        /// A kind by its documented name.
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(stringLiteral value: String) { rawValue = value }
    }

    /// The kind of event.
    public var name: Name
    /// The time of the event, by the server's clock.
    public var time: Timestamp
    /// The properties of this kind of event.
    public var properties: [String: JSONValue]
    /// The id of the container that the event belongs to, if any.
    public var containerID: String?
    /// The id of the item that the event is about, if any; the feature of the event says of which kind.
    public var itemID: String?

    /// An event of this kind.
    public init(
        _ name: Name, time: Timestamp, properties: [String: JSONValue] = [:], containerID: String? = nil,
        itemID: String? = nil
    ) {
        self.name = name
        self.time = time
        self.properties = properties
        self.containerID = containerID
        self.itemID = itemID
    }
}

extension SessionEvent.Name {
    /// The session started.
    public static let sdkInitialized: Self = "sdk-initialized"
    /// A new token of the app replaced an older one.
    public static let tokenRefreshed: Self = "token-refreshed"
    /// The server answered a request with an error (`path`, `status`, `code`), or the socket failed
    /// and polling took over (`path`). Not sent for network failures and time-outs of requests.
    public static let requestFailed: Self = "request-failed"
    /// A damaged store file was renamed (`file`) and a new one started.
    public static let storeSetAside: Self = "store-set-aside"
    /// A store's file was moved, deleted or replaced while it was in use (`file`), and a new one started. Items that
    /// waited in it are counted by `outbox-dropped`.
    public static let storeLost: Self = "store-lost"
    /// Items of a lane were given up (`lane`, `count`, `reason`).
    public static let outboxDropped: Self = "outbox-dropped"
}
