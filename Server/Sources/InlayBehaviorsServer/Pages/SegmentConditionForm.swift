import InlayServerCore
import InlayWorkbench

/// The form of one kind of condition, with the environment's choices.
struct SegmentConditionForm: Sendable {
    let kind: String
    let label: String
    let oppositeLabel: String
    let fields: [AudienceField]
}

extension FieldView {
    /// Creates the view of a condition's field below a path, with the entered value or, without one, the initial value.
    init(_ field: AudienceField, below path: String, _ entered: String?) {
        let name = "\(path).\(field.name)", value = entered ?? field.initial
        switch field.control {
        case .line: self = .line(name, field.label, value, hint: field.hint)
        case .number(let unit):
            self = FieldView.line(name, field.label, value, hint: field.hint).with {
                $0.mode = "numeric"
                $0.unit = unit
            }
        case .choice(let choices):
            let isKnown = value.isEmpty || choices.contains { $0.value == value }
            self = .choice(
                name, field.label, value,
                of: choices.map { ($0.value, $0.label) } + (isKnown ? [] : [(value, "\(value) (gone)")]),
                hint: field.hint)
        }
    }
}
