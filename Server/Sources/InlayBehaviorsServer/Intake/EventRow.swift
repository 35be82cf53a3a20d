import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A row of `behavior_events`, ready to be inserted.
struct EventRow: Hashable, Sendable {
    static let columnCount = 11

    /// The event's id; `nil` when the sender gave none, and then duplicates are not detected.
    var id: String?
    var userID: UserID?
    var contactID: String?
    var code: Int
    /// The event's or goal's name; empty for codes that have none.
    var name: String
    var campaign: String?
    /// The time of the event, or the server's where that was not plausible, in microseconds.
    var happenedAt: Int64
    var receivedAt: Int64
    /// The sender's time when it was not plausible, empty when the sender gave none; else `nil`.
    var statedAt: String?
    /// See ``AttributeText``.
    var attributes: String

    /// The size in memory, about, in bytes.
    var size: Int { 256 + name.utf8.count + attributes.utf8.count }

    static let placeholders = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    static let insertStatement = """
        INSERT INTO behavior_events (environment_id, event_id, user_id, contact_id, code, name, campaign,
            happened_at, received_at, stated_at, attributes) VALUES
        """

    func append(_ environmentID: EnvironmentID, to arguments: inout [SQLValue]) {
        arguments.append(.id(environmentID))
        arguments.append(SQLValue(id))
        arguments.append(.id(userID))
        arguments.append(SQLValue(contactID))
        arguments.append(.int(code))
        arguments.append(.text(name))
        arguments.append(SQLValue(campaign))
        arguments.append(.integer(happenedAt))
        arguments.append(.integer(receivedAt))
        arguments.append(SQLValue(statedAt))
        arguments.append(.text(attributes))
    }
}
