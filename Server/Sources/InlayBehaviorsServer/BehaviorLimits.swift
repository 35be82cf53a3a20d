/// The limits of Behaviors. An event or request over one of them is refused with an error that names the field.
enum BehaviorLimits {
    /// The maximum number of events in one request; more are answered with 413, so that a sender halves its batch.
    static let events = 5_000
    /// The maximum number of attributes of one event.
    static let attributes = 200
    /// The maximum sizes of an attribute's name and value, in bytes of UTF-8.
    static let attributeName = 256
    static let attributeValue = 8 << 10
    /// The maximum size of all attributes' names and values of one event, in bytes.
    static let attributeBytes = 64 << 10
    /// The maximum length of an event's id, in bytes.
    static let id = 128
    /// The maximum offsets of a sender's clock. An event with a time beyond them is stored at the server's time.
    static let secondsAhead: Int64 = 86_400
    static let secondsBehind: Int64 = 400 * 86_400
    /// The number of days for which events are kept by default, and the range that an environment may choose from.
    static let retentionDays = 400
    static let retentionRange = 1...3_660
    /// The maximum number of refusals stored for one request, and for one environment.
    static let refusalsPerRequest = 100
    static let refusalsKept = 10_000
    /// The number of events waiting for the writer from which on requests are answered with 503 and `Retry-After`.
    static let waitingEvents = 100_000
}
