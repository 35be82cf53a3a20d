/// The kinds of universal events, by their documented numbers.
package enum EventCode: Int, CaseIterable, Sendable, Codable {
    case installed = 12
    case sessionStarted = 13
    case sessionEnded = 14
    case goalAbandoned = 15
    case goalCompleted = 16
    case namedEvent = 17
    case notificationReceived = 48
    case notificationOpened = 49

    /// The attribute that names an event of this kind, if it has one.
    var nameAttribute: String? {
        switch self {
        case .goalAbandoned, .goalCompleted: EventAttribute.goalName
        case .namedEvent: EventAttribute.eventName
        default: nil
        }
    }
}

/// The attributes that the server reads, by their documented default names.
enum EventAttribute {
    static let eventName = "Event Name"
    static let goalName = "Goal Name"
    static let campaign = "Campaign Name"
    static let primaryUser = "Primary User Id"
    static let anonymousUser = "Anonymous Id"
}
