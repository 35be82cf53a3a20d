import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The event of a goal, or of a step of a funnel, as entered: its name, and an attribute that it must have.
struct StepFields: Equatable, Sendable {
    var event = ""
    var attribute = ""
    var value = ""

    init() {}

    init(_ form: FormFields, at path: String) {
        event = form.trimmed("\(path).event")
        attribute = form.trimmed("\(path).attribute")
        value = form.trimmed("\(path).value")
    }

    init(_ step: Funnel.Step) {
        event = EventNames.text(step)
        (attribute, value) = (step.attribute ?? "", step.value ?? "")
    }

    /// Whether all fields are empty.
    var isEmpty: Bool { event.isEmpty && attribute.isEmpty && value.isEmpty }

    /// Returns the step, and adds the errors of its fields to `faults`.
    func step(_ names: EventNames, at path: String, _ faults: inout FieldErrors) -> Funnel.Step {
        if event.isEmpty { faults.add("\(path).event", "Choose an event, or type its name.") }
        if attribute.isEmpty, !value.isEmpty {
            faults.add("\(path).attribute", "Enter the attribute of this value.")
        }
        for (name, text) in [("event", event), ("attribute", attribute), ("value", value)]
        where text.unicodeScalars.count > 500 {
            faults.add("\(path).\(name)", "At most 500 characters.")
        }
        var step = names.step(event)
        step.name = step.name.map(EventCheck.indexedName)
        step.attribute = attribute.isEmpty ? nil : attribute
        step.value = value.isEmpty ? nil : value
        return step
    }

    /// Returns the fields with names below a path.
    func fields(at path: String, _ names: EventNames) -> [FieldView] {
        let isUnseen = !event.isEmpty && !names.hasSeen(names.step(event))
        return [
            FieldView.line(
                "\(path).event", "Event", event,
                hint: isUnseen ? "No event with this name has arrived yet." : nil
            ).with {
                $0.list = "event-names"
                $0.placeholder = "Type to search"
            },
            FieldView.line("\(path).attribute", "With the attribute", attribute).with {
                $0.list = "attribute-names"
                $0.placeholder = "Any"
            },
            FieldView.line("\(path).value", "And the value", value).with { $0.placeholder = "Any" },
        ]
    }
}
