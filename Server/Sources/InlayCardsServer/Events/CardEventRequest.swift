package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The id of the subject of cards, for example an order, which the event's sender chose; by default the event's id.
package struct CardLifecycleID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

/// The request with which a backend or the Workbench creates cards.
package struct CardEventRequest: Codable, Hashable, Sendable {
    /// The sender's idempotency key: a copy makes nothing and gets the receipt of the first. 1 to 128 characters;
    /// made by the server when absent.
    package var id: CardEventID?
    /// Makes cards from every published, enabled template with this event name.
    package var name: String
    /// The users that get the cards.
    package var target: UserTarget
    /// Only this template, for example for a test card. It must be published.
    package var templateID: CardTemplateID?
    /// The subject of the cards, for example an order: while a user's card of the same template with this id is
    /// open, it is replaced in place instead of a second one being made.
    package var lifecycleID: CardLifecycleID?
    /// Values by variable name. A date is microseconds since 1970 or RFC 3339 text.
    package var variables: [String: JSONValue]?
    /// The names of the variables whose number was sent with more digits than `variables` has.
    package private(set) var roundedVariables: Set<String> = []
    /// These containers in place of the template's own.
    package var containerIDs: [CardContainerID]?
    /// The priority in place of the template's, 1 (first) to 10 (last).
    package var priority: Int?
    /// The time until which the cards are hidden, in place of the template's embargo.
    package var embargoUntil: Timestamp?
    /// The time until which the cards are shown, in place of the template's expiry.
    package var expiresAt: Timestamp?

    private enum CodingKeys: String, CodingKey {
        case id, name, target
        case templateID = "templateId"
        case lifecycleID = "lifecycleId"
        case variables
        case containerIDs = "containerIds"
        case priority, embargoUntil, expiresAt
    }

    /// Creates an event for some users; everything else is optional and can be set afterwards.
    package init(
        id: CardEventID? = nil, name: String, target: UserTarget, templateID: CardTemplateID? = nil,
        lifecycleID: CardLifecycleID? = nil, variables: [String: JSONValue]? = nil
    ) {
        self.id = id
        self.name = name
        self.target = target
        self.templateID = templateID
        self.lifecycleID = lifecycleID
        self.variables = variables
    }
}

extension CardEventRequest {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decodeIfPresent(CardEventID.self, forKey: .id),
            name: try values.decode(String.self, forKey: .name),
            target: try values.decode(UserTarget.self, forKey: .target),
            templateID: try values.decodeIfPresent(CardTemplateID.self, forKey: .templateID),
            lifecycleID: try values.decodeIfPresent(CardLifecycleID.self, forKey: .lifecycleID))
        containerIDs = try values.decodeIfPresent([CardContainerID].self, forKey: .containerIDs)
        priority = try values.decodeIfPresent(Int.self, forKey: .priority)
        embargoUntil = try values.decodeIfPresent(Timestamp.self, forKey: .embargoUntil)
        expiresAt = try values.decodeIfPresent(Timestamp.self, forKey: .expiresAt)
        let sent = try values.decodeIfPresent([String: SentVariable].self, forKey: .variables)
        variables = sent?.mapValues(\.value)
        roundedVariables = Set((sent ?? [:]).filter { $0.value.isRounded }.keys)
    }

    /// The value of a variable, and whether its number was sent with more digits than the value has.
    private struct SentVariable: Decodable {
        let value: JSONValue
        let isRounded: Bool

        init(from decoder: any Decoder) throws {
            value = try JSONValue(from: decoder)
            let decoded: DecimalNumber? =
                switch value {
                case .integer(let number): DecimalNumber(number)
                case .number(let number): DecimalNumber(number)
                default: nil
                }
            isRounded = try decoded.map { try $0 != SentNumber(from: decoder).decimal } ?? false
        }
    }
}

/// The outcome of an event.
package struct CardEventReceipt: Codable, Hashable, Sendable {
    /// The event's id, the sender's or the server's.
    package var eventID: CardEventID
    /// The templates that cards are made from; empty when none has this event name.
    package var templateIDs: [CardTemplateID]
    /// Cards made or replaced so far.
    package var cards: Int
    /// Whether the delivery has ended; a large audience is delivered in the background.
    package var isComplete: Bool

    private enum CodingKeys: String, CodingKey {
        case eventID = "eventId"
        case templateIDs = "templateIds"
        case cards, isComplete
    }
}

/// The request to cancel the open cards of a lifecycle id.
package struct CardCancelRequest: Codable, Hashable, Sendable {
    /// The id that the events were sent with.
    package var lifecycleID: CardLifecycleID
    /// The users whose cards are cancelled; all users when absent.
    package var target: UserTarget?

    private enum CodingKeys: String, CodingKey {
        case lifecycleID = "lifecycleId"
        case target
    }

    /// Creates a cancellation for some users or, without a target, for all.
    package init(lifecycleID: CardLifecycleID, target: UserTarget? = nil) {
        self.lifecycleID = lifecycleID
        self.target = target
    }
}

/// The number of cards that were cancelled.
package struct CardCancelReceipt: Codable, Hashable, Sendable {
    /// Cards that were open and are cancelled now.
    package var cards: Int
}
