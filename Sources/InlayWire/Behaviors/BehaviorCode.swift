/// The type of a universal event.
///
/// The set is closed: a code that is not here means nothing to segments and goals, so it is refused
/// where it enters instead of being counted nowhere.
public enum BehaviorCode: Int, CaseIterable, Codable, Hashable, Sendable {
    /// The app was installed; once per installation.
    case installed = 12
    /// A session started.
    case sessionStarted = 13
    /// A session ended; carries its duration.
    case sessionEnded = 14
    /// A goal was given up.
    case goalAbandoned = 15
    /// A goal was reached.
    case goalCompleted = 16
    /// Anything the app names itself.
    case namedEvent = 17
    /// A notification arrived.
    case receivedNotification = 48
    /// A notification was opened.
    case openedNotification = 49

    /// The code as it travels.
    public var text: String { String(rawValue) }

    /// Reads a code as it travels; `nil` for one that is not in the set.
    public init?(text: String) {
        guard let number = Int(text), String(number) == text else { return nil }
        self.init(rawValue: number)
    }
}
