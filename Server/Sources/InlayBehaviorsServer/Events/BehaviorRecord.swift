import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A stored event.
package struct BehaviorRecord: Hashable, Sendable, Identifiable {
    /// The event's number, which grows over all environments; the cursor of the live stream.
    package let seq: Int64
    /// The event's id from its sender; `nil` when there was none.
    package let eventID: String?
    /// The user of the event; `nil` when unknown.
    package let userID: UserID?
    package let contactID: String?
    package let code: Int
    /// The event's or goal's name; empty for codes without one.
    package let name: String
    package let campaign: String?
    /// The time of the event; the server's time where the sender's clock was not plausible.
    package let happenedAt: Timestamp
    package let receivedAt: Timestamp
    /// The sender's time where it was not plausible, empty when the sender gave none; `nil` when it was plausible.
    package let statedAt: String?
    package let attributes: [EventAttributePair]

    package var id: Int64 { seq }
    /// Whether `happenedAt` is the server's time instead of the sender's.
    package var hasWrongClock: Bool { statedAt != nil }
}

extension BehaviorRecord {
    init(_ row: SQLRow) throws {
        self.init(
            seq: try row.int64("seq"), eventID: try row.optionalText("event_id"),
            userID: try row.optionalID("user_id"), contactID: try row.optionalText("contact_id"),
            code: try row.int("code"), name: try row.text("name"), campaign: try row.optionalText("campaign"),
            happenedAt: try row.moment("happened_at"), receivedAt: try row.moment("received_at"),
            statedAt: try row.optionalText("stated_at"),
            attributes: AttributeText.pairs(try row.text("attributes")))
    }
}

/// A filter of events; an event must match every part that is set.
package struct BehaviorFilter: Hashable, Sendable {
    /// An attribute that an event must have; with any value when `value` is `nil`.
    package struct Attribute: Hashable, Sendable {
        package var name: String
        package var value: String?

        /// Creates a filter for an attribute's name and, unless `nil`, its value.
        package init(_ name: String, _ value: String? = nil) {
            self.name = name
            self.value = value
        }
    }

    package var code: Int?
    package var name: String?
    package var userID: UserID?
    package var campaign: String?
    package var attributes: [Attribute] = []
    /// The earliest time of an event.
    package var from: Timestamp?
    /// The time before which an event happened.
    package var until: Timestamp?

    /// Creates a filter that matches every event.
    package init() {}

    /// Returns the SQL condition and its arguments; all values are arguments.
    func condition(_ environmentID: EnvironmentID) -> (sql: String, arguments: [SQLValue]) {
        var parts = ["environment_id = ?"]
        var arguments: [SQLValue] = [.id(environmentID)]
        func add(_ sql: String, _ value: SQLValue?) {
            guard let value else { return }
            parts.append(sql)
            arguments.append(value)
        }
        add("code = ?", code.map(SQLValue.int))
        add("name = ?", name.map(SQLValue.text))
        add("user_id = ?", userID.map { .id($0) })
        add("campaign = ?", campaign.map(SQLValue.text))
        for attribute in attributes {
            let pattern =
                attribute.value.map { AttributeText.pattern(name: attribute.name, value: $0) }
                ?? AttributeText.pattern(name: attribute.name)
            add("attributes LIKE ? ESCAPE '!'", pattern)
        }
        add("happened_at >= ?", from.map { .moment($0) })
        add("happened_at < ?", until.map { .moment($0) })
        return (parts.joined(separator: " AND "), arguments)
    }
}
