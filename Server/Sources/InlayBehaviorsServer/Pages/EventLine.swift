import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The row of an event in a table.
struct EventLine {
    struct Attribute {
        let attributeName: String
        let attributeValue: String
    }

    /// The event's name; its kind when it has none.
    let eventTitle: String
    /// The event's kind; `nil` when it is the title.
    let eventNote: String?
    let who: String
    let whoPath: String?
    let campaign: String?
    let attributes: [Attribute]
    let attributeCount: String
    let hasWrongClock: Bool
    let happened: Moment

    init(_ record: BehaviorRecord, for request: WorkbenchRequest) {
        let kind = EventCode(rawValue: record.code)?.label ?? "Code \(record.code)"
        (eventTitle, eventNote) = record.name.isEmpty ? (kind, nil) : (record.name, kind)
        who = record.userID?.rawValue ?? record.contactID ?? "–"
        whoPath = record.userID.map { request.address("users", $0.rawValue) }
        campaign = record.campaign
        attributes = record.attributes.map { Attribute(attributeName: $0.name, attributeValue: $0.value) }
        attributeCount = Count.of(record.attributes.count, "attribute")
        hasWrongClock = record.hasWrongClock
        happened = request.moment(record.happenedAt)
    }
}

extension EventCode {
    /// The label in the Workbench.
    var label: String {
        switch self {
        case .installed: "Installed"
        case .sessionStarted: "Session started"
        case .sessionEnded: "Session ended"
        case .goalAbandoned: "Goal abandoned"
        case .goalCompleted: "Goal completed"
        case .namedEvent: "Event"
        case .notificationReceived: "Notification received"
        case .notificationOpened: "Notification opened"
        }
    }

    /// The choices of a form, by number.
    static var choices: [(String, String)] { allCases.map { ("\($0.rawValue)", $0.label) } }
}
