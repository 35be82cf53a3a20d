import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A rule as an SQL condition on the environment's users. Names and values are arguments, never part of the SQL.
///
/// The definitions are decoded once, so each evaluation only builds the statement.
struct SegmentQuery: Sendable {
    private struct Part: Sendable {
        let path: String
        let isNot: Bool
        let condition: Result<DecodedCondition, FieldErrors>
    }

    private let matchesAny: Bool
    private let parts: [Part]

    init(_ rule: SegmentRule, _ known: AudienceConditions) {
        matchesAny = rule.matchesAny
        parts = rule.conditions.enumerated().map { index, condition in
            Part(
                path: SegmentRule.path(index, condition.kind), isNot: condition.isNot,
                condition: Result { () throws(FieldErrors) in try Self.decoded(condition, known) })
        }
    }

    /// Whether each condition is known and its definition can be read. Otherwise the rule matches no users.
    var isReadable: Bool { parts.allSatisfy { (try? $0.condition.get()) != nil } }

    /// Returns the SQL condition on `u`, a row of `users`.
    ///
    /// Throws `FieldErrors` for conditions that cannot be evaluated, with paths such as `conditions[0].event.days`.
    func condition(in audience: AudienceContext) throws -> (sql: String, arguments: [SQLValue]) {
        guard (1...SegmentRule.maximumConditions).contains(parts.count) else {
            throw FieldErrors("conditions", "1 to \(SegmentRule.maximumConditions).")
        }
        var selections: [String] = [], arguments: [SQLValue] = [], faults = FieldErrors()
        for part in parts {
            do {
                let users = try part.condition.get().users(audience).selection(in: audience.environmentID)
                selections.append("u.id \(part.isNot ? "NOT IN" : "IN") (\(users.sql))")
                arguments += users.arguments
            } catch let wrong as FieldErrors {
                faults.add(wrong, below: part.path)
            }
        }
        try faults.throwIfAny()
        return ("(\(selections.joined(separator: matchesAny ? " OR " : " AND ")))", arguments)
    }

    private static func decoded(
        _ condition: SegmentCondition, _ known: AudienceConditions
    ) throws(FieldErrors) -> DecodedCondition {
        if condition.kind == AudienceConditions.unreadableKind {
            throw FieldErrors("kind", "The stored condition cannot be read. Remove it or choose another.")
        }
        // Its opposite matches no users either: the feature that contributed the kind may have been removed.
        guard let kind = known[condition.kind] else {
            let kinds = known.all.map(\.kind).joined(separator: ", ")
            throw FieldErrors(
                "kind", "No feature of this server has the condition “\(condition.kind)”. Known: \(kinds).")
        }
        return try kind.decoded(condition.definition)
    }
}

extension SegmentRule {
    /// The path of the fields of a condition.
    static func path(_ index: Int, _ kind: String) -> String { "conditions[\(index)].\(kind)" }
}
