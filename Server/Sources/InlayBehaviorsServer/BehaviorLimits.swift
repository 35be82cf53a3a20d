/// The limits of Behaviors. An event or request over one of them is refused with an error that names the field.
enum BehaviorLimits {
    /// The maximum number of events in one request; more are answered with 413, so that a sender halves its batch.
    static let maximumEvents = 5_000
    /// The maximum number of attributes of one event.
    static let maximumAttributes = 200
    /// The maximum sizes of an attribute's name and value, in bytes of UTF-8.
    static let maximumNameBytes = 256
    static let maximumValueBytes = 8 << 10
    /// The maximum size of all attributes' names and values of one event, in bytes.
    static let maximumAttributeBytes = 64 << 10
    /// The maximum length of an event's id, in bytes.
    static let maximumIDBytes = 128
    /// The maximum offsets of a sender's clock. An event with a time beyond them is stored at the server's time.
    static let maximumSecondsAhead: Int64 = 86_400
    static let maximumSecondsBehind: Int64 = 400 * 86_400
    /// The number of days for which events are kept by default, and the range that an environment may choose from.
    static let defaultRetentionDays = 400
    static let retentionRange = 1...3_660
    /// The maximum number of refusals stored for one request, and for one environment.
    static let maximumRefusalsPerRequest = 100
    static let maximumRefusals = 10_000
    /// The number of events waiting for the writer from which on requests are answered with 503 and `Retry-After`.
    static let maximumWaitingEvents = 100_000
    /// The size of these events from which on requests are answered in the same way, in bytes.
    static let maximumWaitingBytes = 64 << 20
}
