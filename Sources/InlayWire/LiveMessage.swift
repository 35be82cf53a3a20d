/// One message on the session's WebSocket, as JSON text.
///
/// The socket never carries state, only the notice that state changed; the receiver then pulls it by
/// version. A lost or repeated message therefore costs nothing but a pull.
@_spi(Inlay) public enum LiveMessage: Hashable, Sendable {
    /// Server to app, first message: the time by the server's clock.
    case hello(serverTime: Timestamp)
    /// App to server: the topics to subscribe to, in place of the previous ones.
    case subscribe(topics: [String])
    /// Server to app: the topic's state now has at least this version.
    case changed(topic: String, version: Int64)
    /// A message of a newer peer; ignored.
    case unknown(String)

    /// The topic of a container's card feed.
    public static func cardTopic(container: String) -> String { "cards/\(container)" }
}

extension LiveMessage: Codable {
    private enum Key: String, CodingKey { case type, serverTime, topics, topic, version }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        switch try values.decode(String.self, forKey: .type) {
        case "hello": self = .hello(serverTime: try values.decode(Timestamp.self, forKey: .serverTime))
        case "subscribe": self = .subscribe(topics: try values.decode([String].self, forKey: .topics))
        case "changed":
            self = .changed(
                topic: try values.decode(String.self, forKey: .topic),
                version: try values.decode(Int64.self, forKey: .version))
        case let other: self = .unknown(other)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .hello(let serverTime):
            try values.encode("hello", forKey: .type)
            try values.encode(serverTime, forKey: .serverTime)
        case .subscribe(let topics):
            try values.encode("subscribe", forKey: .type)
            try values.encode(topics, forKey: .topics)
        case .changed(let topic, let version):
            try values.encode("changed", forKey: .type)
            try values.encode(topic, forKey: .topic)
            try values.encode(version, forKey: .version)
        case .unknown(let type):
            try values.encode(type, forKey: .type)
        }
    }
}
