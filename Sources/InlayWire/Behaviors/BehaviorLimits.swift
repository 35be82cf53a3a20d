/// How large an event may be. Device and server check the same numbers.
public enum BehaviorLimits {
    /// The most attributes of an event, the automatic ones included.
    public static let attributes = 200
    /// The longest name of an attribute, in Unicode scalars; it has at least one.
    public static let nameLength = 256
    /// The longest value of an attribute, in Unicode scalars.
    public static let valueLength = 4000
    /// The largest event as JSON, in bytes.
    public static let eventBytes = 65_536
    /// The most events of a submission.
    public static let eventsOfSubmission = 500
}
