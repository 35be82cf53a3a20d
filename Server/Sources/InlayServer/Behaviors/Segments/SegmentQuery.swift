import InlaySQL
import InlayWire

/// A rule as SQL over the environment's users. Names and values are arguments, never text.
struct SegmentQuery {
    let environmentID: String
    let now: Timestamp
    let connection: any SQLConnection

    /// The condition on `u`, a row of `users`; throws `invalid-value` for what cannot be asked.
    func condition(_ rule: SegmentRule) throws -> (sql: String, arguments: [SQLValue]) {
        guard (1...SegmentRule.mostConditions).contains(rule.conditions.count) else {
            throw Problem.invalidValue("conditions", "1 to \(SegmentRule.mostConditions).")
        }
        let parts = try rule.conditions.map { condition in
            let part = try part(condition)
            return ("u.id \(condition.isNot == true ? "NOT IN" : "IN") (\(part.0))", part.1)
        }
        let sql = parts.map(\.0).joined(separator: rule.matchesAny ? " OR " : " AND ")
        return ("(\(sql))", parts.flatMap(\.1))
    }

    private func part(_ condition: SegmentCondition) throws -> (String, [SQLValue]) {
        switch (condition.contact, condition.event) {
        case (let contact?, nil): try contactPart(contact)
        case (nil, let event?): try eventPart(event)
        default: throw Problem.invalidValue("conditions", "Each has either contact or event.")
        }
    }

    private func eventPart(_ event: SegmentCondition.Event) throws -> (String, [SQLValue]) {
        guard EventCode(rawValue: event.code) != nil else { throw Problem.unknownEventCode }
        guard (1...1_000_000).contains(event.atLeast), BehaviorLimits.retentionRange.contains(event.days)
        else {
            throw Problem.invalidValue("event", "At least 1 time, in the last 1 to 3660 days.")
        }
        let start = now + .seconds(-Int64(event.days) * 86_400)
        var arguments: [SQLValue] = [.text(environmentID), .int(event.code)]
        if let name = event.name { arguments.append(.text(EventCheck.short(name))) }
        return (
            """
            SELECT e.user_id FROM behavior_events e WHERE e.environment_id = ? AND e.code = ?
                \(event.name == nil ? "" : "AND e.name = ?") AND e.happened_at >= ? AND e.user_id IS NOT NULL
            GROUP BY e.user_id HAVING COUNT(*) >= ?
            """, arguments + [.moment(start), .int(event.atLeast)]
        )
    }

    private func contactPart(_ contact: SegmentCondition.Contact) throws -> (String, [SQLValue]) {
        let contacts = ContactTransaction(environmentID: environmentID, now: now, connection: connection)
        guard let list = try contacts.list(contact.list), list.kind == .database,
            let column = list.column(contact.column)
        else { throw Problem.invalidValue("contact", "There is no such list or column.") }
        let (comparison, arguments) = try comparison(contact, column)
        return (
            """
            SELECT r.user_id FROM recipient_values v JOIN recipients r ON r.environment_id = v.environment_id
                AND r.list_id = v.list_id AND r.id = v.recipient_id
            WHERE v.environment_id = ? AND v.list_id = ? AND v.column_key = ? AND r.user_id IS NOT NULL
                \(comparison)
            """,
            [.text(environmentID), .integer(list.id), .text(column.key)] + arguments
        )
    }

    private func comparison(
        _ contact: SegmentCondition.Contact, _ column: ContactColumn
    ) throws -> (String, [SQLValue]) {
        let like = AttributeText.escapedForLike(String(contact.value.lowercased().prefix(200)))
        switch contact.comparison {
        case .hasValue: return ("", [])
        case .contains: return ("AND v.folded LIKE ? ESCAPE '!'", [.text("%\(like)%")])
        case .beginsWith: return ("AND v.folded LIKE ? ESCAPE '!'", [.text("\(like)%")])
        case .equals: return ("AND v.folded = ?", [.text(try value(contact, column).folded)])
        case .lessThan, .greaterThan:
            guard let number = try value(contact, column).number else {
                throw Problem.invalidValue("value", "\(column.name) holds neither numbers nor dates.")
            }
            return ("AND v.number \(contact.comparison == .lessThan ? "<" : ">") ?", [.real(number)])
        }
    }

    private func value(
        _ contact: SegmentCondition.Contact, _ column: ContactColumn
    ) throws -> ContactValue {
        do {
            return try ContactValue(contact.value, for: column)
        } catch let misfit as ContactValue.Misfit {
            throw Problem.invalidValue("value", misfit.reason)
        }
    }
}
