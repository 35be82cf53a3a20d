import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// A segment as entered in its form: name and conditions.
struct SegmentForm {
    /// A condition as entered. It stores the fields of all kinds, so that no value is lost when another kind is chosen
    /// and then the first one again.
    struct Condition {
        private static let opposite = "not-"

        /// The kind of the condition, with the prefix `not-` for its opposite; empty when none is chosen.
        var choice = ""
        /// The values of the fields by kind.
        var values: [String: [String: String]] = [:]

        var isNot: Bool { choice.hasPrefix(Self.opposite) }
        var kind: String { isNot ? String(choice.dropFirst(Self.opposite.count)) : choice }

        /// Returns the choice for a kind or its opposite.
        static func choice(_ kind: String, isNot: Bool) -> String { (isNot ? opposite : "") + kind }
    }

    var name: String
    var matchesAny: Bool
    var conditions: [Condition]

    /// Reads a form and applies a press on a button that adds or removes a condition.
    init(_ form: FormFields, _ known: AudienceConditions) {
        name = form.trimmed("name")
        matchesAny = form["match"] == "any"
        conditions = []
        let kinds = known.all.map(\.kind)
        while conditions.count < SegmentRule.maximumConditions,
            let choice = form["\(Self.path(conditions.count)).kind"]
        {
            let index = conditions.count
            let values = kinds.map { ($0, form.values(below: SegmentRule.path(index, $0))) }
            conditions.append(Condition(choice: choice, values: Dictionary(values) { first, _ in first }))
        }
        let pressed = form["op"] ?? ""
        if pressed.hasPrefix("remove."), let index = Int(pressed.dropFirst("remove.".count)),
            conditions.indices.contains(index)
        {
            conditions.remove(at: index)
        }
        let new = Condition(choice: kinds.first ?? "")
        if conditions.isEmpty { conditions.append(new) }
        if pressed == "add", conditions.count < SegmentRule.maximumConditions { conditions.append(new) }
    }

    /// Creates the form of a saved segment.
    init(_ segment: Segment, _ known: AudienceConditions) {
        (name, matchesAny) = (segment.name, segment.rule.matchesAny)
        conditions = segment.rule.conditions.map { condition in
            let values = known[condition.kind]?.values(stored: condition.definition) ?? [:]
            return Condition(
                choice: Condition.choice(condition.kind, isNot: condition.isNot),
                values: [condition.kind: values])
        }
    }

    /// Returns the path of a condition; the paths of its fields add the kind.
    static func path(_ index: Int) -> String { "conditions[\(index)]" }

    /// Returns the rule, and the errors of the conditions that cannot be read.
    func rule(_ known: AudienceConditions) throws -> (SegmentRule, FieldErrors) {
        var faults = FieldErrors()
        let conditions = try conditions.enumerated().compactMap { index, entered -> SegmentCondition? in
            let kind = entered.kind
            guard let condition = known[kind] else {
                faults.add(
                    "\(Self.path(index)).kind",
                    kind.isEmpty
                        ? "Choose a kind of condition."
                        : "No feature of this server has this condition. Choose another or remove it.")
                return nil
            }
            do {
                let definition = try condition.stored(from: entered.values[kind] ?? [:])
                return SegmentCondition(kind: kind, definition, isNot: entered.isNot)
            } catch let wrong as FieldErrors {
                faults.add(wrong, below: SegmentRule.path(index, kind))
                return nil
            }
        }
        return (SegmentRule(conditions, matchesAny: matchesAny), faults)
    }
}
