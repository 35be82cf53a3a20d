import InlaySQL
import InlayWire

/// One event ready for its table.
struct EventRow: Hashable, Sendable {
    static let columns = 11

    /// The sender's id; `nil` when it sent none, and then nothing tells a copy.
    var id: String?
    var userID: String?
    var contactID: String?
    var code: Int
    /// The event's or goal's name; empty for codes that have none.
    var name: String
    var campaign: String?
    /// When it happened as far as we believe it, in microseconds.
    var happenedAt: Int64
    var receivedAt: Int64
    /// What the sender said, when its clock cannot be believed; else `nil`.
    var statedAt: String?
    /// See ``AttributeText``.
    var attributes: String

    static let tuple = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    static let insert = """
        INSERT INTO behavior_events (environment_id, event_id, user_id, contact_id, code, name, campaign,
            happened_at, received_at, stated_at, attributes) VALUES
        """

    func append(_ environmentID: String, to arguments: inout [SQLValue]) {
        arguments.append(.text(environmentID))
        arguments.append(SQLValue(id))
        arguments.append(SQLValue(userID))
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
