/// One card of one user.
public struct CardInstance: Codable, Hashable, Sendable, Identifiable {
    /// The card instance id, unique in its environment.
    public var id: String
    /// The id of the card's layout in the feed: the template's id and version.
    public var layoutID: String
    /// The id of the card's template.
    public var templateID: String
    /// The template's name when the card was created.
    public var templateName: String
    /// The name of the event that created the card.
    public var eventName: String
    /// The backend's id for the subject of the card, with which it can update or cancel the card.
    public var lifecycleID: String
    /// The priority, from 1 (first) to 10 (last); 5 when the template has none.
    public var priority: Int
    /// The state of the card.
    public var status: CardStatus
    /// The time at which an event created the card.
    public var createdAt: Timestamp
    /// The time of the last change at the server.
    public var updatedAt: Timestamp
    /// The time at which the card last became visible: sent, end of embargo, or return from snooze.
    public var activeAt: Timestamp
    /// The time at which the card expires; `nil` for never.
    public var expiresAt: Timestamp?
    /// The end of the user's snooze; `nil` when the card is not snoozed.
    public var snoozedUntil: Timestamp?
    /// Whether the user has seen the card.
    public var isSeen: Bool
    /// Values sent with the event, by variable name.
    public var variables: [String: CardVariableValue]

    /// A card with its parts.
    public init(
        id: String, layoutID: String, templateID: String, templateName: String, eventName: String,
        lifecycleID: String, priority: Int = 5, status: CardStatus = .active, createdAt: Timestamp,
        updatedAt: Timestamp, activeAt: Timestamp, expiresAt: Timestamp? = nil,
        snoozedUntil: Timestamp? = nil, isSeen: Bool = false, variables: [String: CardVariableValue] = [:]
    ) {
        self.id = id
        self.layoutID = layoutID
        self.templateID = templateID
        self.templateName = templateName
        self.eventName = eventName
        self.lifecycleID = lifecycleID
        self.priority = priority
        self.status = status
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.activeAt = activeAt
        self.expiresAt = expiresAt
        self.snoozedUntil = snoozedUntil
        self.isSeen = isSeen
        self.variables = variables
    }
}

/// The state of a card. Open states may change into each other and close; a closed state is
/// final.
public enum CardStatus: String, Codable, Hashable, Sendable, CaseIterable {
    case active, embargoed, snoozed
    case completed, dismissed, cancelled, expired

    /// Whether the card can still be shown, now or later.
    public var isOpen: Bool {
        switch self {
        case .active, .embargoed, .snoozed: true
        case .completed, .dismissed, .cancelled, .expired: false
        }
    }

    /// Whether a card may go from this state to `next`.
    ///
    /// An active card can be snoozed, dismissed or completed; a snoozed or embargoed card can become active; every open
    /// card can be cancelled or can expire. No card becomes embargoed later, and a closed card stays closed.
    public func allows(_ next: CardStatus) -> Bool {
        switch (self, next) {
        case (.active, .snoozed), (.active, .completed), (.active, .dismissed),
            (.snoozed, .active), (.embargoed, .active):
            true
        case (_, .cancelled), (_, .expired):
            isOpen
        default:
            false
        }
    }
}

/// The value of a card variable.
public enum CardVariableValue: Hashable, Sendable {
    case string(String)
    /// A number; a whole number beyond ±2^53 is an ``integer(_:)``.
    case number(Double)
    /// A whole number beyond ±2^53 (9007199254740992), where a `Double` changes digits.
    case integer(Int64)
    case date(Timestamp)
    case boolean(Bool)
}

extension CardVariableValue {
    /// A whole number with all of its digits: a ``number(_:)`` up to ±2^53, else an ``integer(_:)``.
    public init(whole: Int64) { self = whole.magnitude <= 1 << 53 ? .number(Double(whole)) : .integer(whole) }
}

extension CardVariableValue: Codable {
    private enum Key: String, CodingKey { case string, number, date, boolean }

    // Tagged, because a date and a number are both JSON numbers. Both kinds of number have one tag, so that readers
    // without `integer` read both as doubles.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if let value = try values.decodeIfPresent(String.self, forKey: .string) {
            self = .string(value)
        } else if let whole = try? values.decodeIfPresent(Int64.self, forKey: .number) {
            self.init(whole: whole)
        } else if let value = try values.decodeIfPresent(Double.self, forKey: .number) {
            self = .number(value)
        } else if let value = try values.decodeIfPresent(Timestamp.self, forKey: .date) {
            self = .date(value)
        } else {
            self = .boolean(try values.decode(Bool.self, forKey: .boolean))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .string(let value): try values.encode(value, forKey: .string)
        case .number(let value): try values.encode(value, forKey: .number)
        case .integer(let value): try values.encode(value, forKey: .number)
        case .date(let value): try values.encode(value, forKey: .date)
        case .boolean(let value): try values.encode(value, forKey: .boolean)
        }
    }
}
