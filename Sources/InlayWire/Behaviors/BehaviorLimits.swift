/// How large an event may be. Device and server check the same numbers.
public enum BehaviorLimits {
    /// The most attributes of an event, the automatic ones included.
    public static let attributes = 200
    /// The longest name of an attribute, in bytes of UTF-8; it has at least one.
    public static let nameBytes = 256
    /// The longest value of an attribute, in bytes of UTF-8.
    public static let valueBytes = 8192
    /// The largest event as JSON, in bytes.
    public static let eventBytes = 65_536
    /// The most events of a submission.
    public static let eventsOfSubmission = 500
}
