/// The maximum sizes and counts of Behaviors; over them an event, value or request is refused by name.
enum BehaviorLimits {
    /// Events of one request; more are answered 413, so that a sender halves its batch.
    static let events = 5_000
    /// Attributes of one event.
    static let attributes = 200
    /// An attribute's name and value, in bytes of UTF-8.
    static let attributeName = 256
    static let attributeValue = 8 << 10
    /// All names and values of one event together.
    static let attributeBytes = 64 << 10
    /// Ids of events and contacts, in bytes.
    static let id = 128
    /// A clock further ahead or behind is not believed; the event is kept at the server's time.
    static let secondsAhead: Int64 = 86_400
    static let secondsBehind: Int64 = 400 * 86_400
    /// The days for which events are kept unless the environment sets others, and the range it may choose from.
    static let retentionDays = 400
    static let retentionRange = 1...3_660
    /// Refusals listed for one request, and kept for one environment.
    static let refusalsPerRequest = 100
    static let refusalsKept = 10_000
    /// Events that may wait for the writer before senders are asked to come back later.
    static let waitingEvents = 100_000
}
