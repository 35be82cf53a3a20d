/// Why an event was not taken. Nothing of it was stored.
public enum BehaviorError: Error, Sendable {
    /// The event has more attributes than `BehaviorLimits.attributes`, the automatic ones included.
    case tooManyAttributes(Int)
    /// An attribute's name is empty or longer than `BehaviorLimits.nameBytes`; begins with it.
    case invalidName(String)
    /// An attribute's value is longer than `BehaviorLimits.valueBytes`; the attribute's name.
    case valueTooLong(name: String, bytes: Int)
    /// A number that JSON cannot carry; the attribute's name.
    case notFinite(name: String)
    /// The whole event has more bytes than `BehaviorLimits.eventBytes`.
    case tooLarge(bytes: Int)
    /// The session was logged out.
    case loggedOut
    /// The store did not take it: a full disk, or nobody is known yet; holds the cause.
    case notStored(any Error)
}
