import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The validation of one sender's events, which converts each valid event to a row.
struct EventCheck: Sendable {
    let caller: BehaviorCaller
    /// The server's time, in microseconds.
    let now: Int64

    /// Returns the row of an event; throws a ``Problem`` with the reason when the event is invalid.
    func row(_ event: IncomingEvent) throws -> EventRow {
        if let id = event.id, !Self.isID(id) { throw Problem.badID("id") }
        if let id = event.contactID, !id.isEmpty, !IDRule.admits(id) { throw Problem.badContact }
        guard let number = Int(event.code), let code = EventCode(rawValue: number) else {
            throw Problem.unknownEventCode
        }
        try checkAttributes(event.attributes)
        let moment = try moment(event.timestamp)
        func value(_ name: String?) -> String? {
            guard let name, let pair = event.attributes.first(where: { $0.name == name }) else { return nil }
            return pair.value.isEmpty ? nil : pair.value
        }
        let contact = event.contactID.flatMap { $0.isEmpty ? nil : $0 }
        let user =
            caller.userID?.rawValue ?? contact ?? value(EventAttribute.primaryUser)
            ?? value(EventAttribute.anonymousUser)
        return EventRow(
            id: event.id, userID: user.flatMap(Self.userID), contactID: contact, code: number,
            name: Self.indexedName(value(code.nameAttribute) ?? ""),
            campaign: value(EventAttribute.campaign).map(Self.indexedName), happenedAt: moment.happenedAt,
            receivedAt: now, statedAt: moment.statedAt, attributes: AttributeText.text(event.attributes))
    }

    /// Returns the time of an event: the stated one where it is plausible, else the server's.
    func moment(_ text: String?) throws -> (happenedAt: Int64, statedAt: String?) {
        guard let text, !text.isEmpty else { return (now, "") }
        guard text.utf8.count <= 40, let stated = EventTimestampParser.microseconds(text) else {
            throw Problem.invalidValue("eventTimestamp", "RFC 3339, for example 2014-06-10T00:00:00.000Z.")
        }
        return isPlausible(stated) ? (stated, nil) : (now, text)
    }

    func isPlausible(_ stated: Int64) -> Bool {
        stated <= now + BehaviorLimits.maximumSecondsAhead * 1_000_000
            && stated >= now - BehaviorLimits.maximumSecondsBehind * 1_000_000
    }

    private func checkAttributes(_ attributes: [EventAttributePair]) throws {
        guard attributes.count <= BehaviorLimits.maximumAttributes else {
            throw Problem.invalidValue("attributes", "At most \(BehaviorLimits.maximumAttributes).")
        }
        var bytes = 0
        for pair in attributes {
            guard (1...BehaviorLimits.maximumNameBytes).contains(pair.name.utf8.count),
                pair.value.utf8.count <= BehaviorLimits.maximumValueBytes
            else {
                let (name, value) = (BehaviorLimits.maximumNameBytes, BehaviorLimits.maximumValueBytes)
                throw Problem.invalidValue(
                    "attributes", "A name has 1 to \(name) bytes, a value at most \(value).")
            }
            guard !pair.name.utf8.contains(0), !pair.value.utf8.contains(0) else {
                throw Problem.invalidValue("attributes", "No NUL characters.")
            }
            bytes += pair.name.utf8.count + pair.value.utf8.count
        }
        guard bytes <= BehaviorLimits.maximumAttributeBytes else {
            throw Problem.invalidValue(
                "attributes", "At most \(BehaviorLimits.maximumAttributeBytes) bytes in all.")
        }
    }

    /// Whether a text can be an event's id: 1 to 128 bytes without control characters.
    static func isID(_ text: String) -> Bool {
        (1...BehaviorLimits.maximumIDBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// Returns the id of a user; `nil` for an invalid one, because an attribute's value never makes an event invalid.
    static func userID(_ text: String) -> UserID? { IDRule.admits(text) ? UserID(text) : nil }

    /// Returns a name as its column stores it: PostgreSQL indexes at most 2,700 bytes. The attribute keeps the whole
    /// name.
    static func indexedName(_ text: String) -> String {
        guard text.utf8.count > BehaviorLimits.maximumNameBytes else { return text }
        let characters = String(text.prefix(64))
        // A character can have any number of combining marks.
        return characters.utf8.count <= maximumIndexedBytes ? characters : text.prefix(scalars: 64)
    }

    private static let maximumIndexedBytes = 1_024
}

extension Problem {
    static let unknownEventCode = Problem(
        .unknownEventCode, status: 422, title: "The event's code is not known.",
        detail: "Known: \(EventCode.allCases.map { String($0.rawValue) }.joined(separator: ", ")).")
    static let unreadableEvent = Problem(
        .malformedBody, status: 400, title: "This event could not be read.",
        detail: "A field is missing or has another type.")

    static let badContact = Problem.invalidValue(
        "contactId",
        "1 to \(IDRule.maximumCharacters) characters in \(IDRule.maximumBytes) bytes, without control characters."
    )

    static func badID(_ field: String) -> Problem {
        invalidValue(field, "1 to \(BehaviorLimits.maximumIDBytes) bytes, without control characters.")
    }
}

extension Problem.Code {
    /// An event's code is not one of the eight documented ones.
    package static let unknownEventCode = Self(rawValue: "unknown-event-code")
}
