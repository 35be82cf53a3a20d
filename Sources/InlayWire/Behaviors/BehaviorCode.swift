/// The type of a universal event.
///
/// The set is closed: segments and goals could not use any other code, so the server refuses an event with one.
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
    /// An event that the app names.
    case namedEvent = 17
    /// A notification arrived.
    case receivedNotification = 48
    /// A notification was opened.
    case openedNotification = 49

    /// The code on the wire.
    public var text: String { String(rawValue) }

    /// Reads a code from its text on the wire; `nil` for a code that is not in the set.
    public init?(text: String) {
        guard let number = Int(text), String(number) == text else { return nil }
        self.init(rawValue: number)
    }
}
