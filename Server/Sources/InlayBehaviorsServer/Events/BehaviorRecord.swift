import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// An event as it is kept.
package struct BehaviorRecord: Hashable, Sendable, Identifiable {
    /// Grows with every event of the server; the cursor of the live stream.
    package let seq: Int64
    /// The sender's id, if it sent one.
    package let eventID: String?
    /// The user of the event, as far as known.
    package let userID: UserID?
    package let contactID: String?
    package let code: Int
    /// The event's or goal's name; empty for codes without one.
    package let name: String
    package let campaign: String?
    /// The time of the event; the server's time where the sender's clock was not plausible.
    package let happenedAt: Timestamp
    package let receivedAt: Timestamp
    /// The time by the sender's clock where it was not plausible; empty when it gave none.
    package let statedAt: String?
    package let attributes: [EventAttributePair]

    package var id: Int64 { seq }
    /// Whether the server's time stands in for the sender's.
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

/// A filter of events. Every part that is set must hold.
package struct BehaviorFilter: Hashable, Sendable {
    /// An attribute that an event must have; with any value when `value` is `nil`.
    package struct Attribute: Hashable, Sendable {
        package var name: String
        package var value: String?

        /// A name, and the value it must have.
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
    /// Happened at this moment or later.
    package var from: Timestamp?
    /// Happened before this moment.
    package var until: Timestamp?

    /// Everything.
    package init() {}

    /// The condition and its arguments; values are arguments only.
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
