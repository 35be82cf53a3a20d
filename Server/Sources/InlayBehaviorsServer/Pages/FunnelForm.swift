import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// A funnel as entered in its form: name, window and steps.
struct FunnelForm {
    var name = ""
    var window = SpanField()
    var steps: [StepFields] = []

    /// Reads a form and applies a press on a button that adds, moves or removes a step.
    init(_ form: FormFields) {
        name = form.trimmed("name")
        window = form["windowUnit"] == nil ? SpanField(seconds: 86_400) : SpanField("window", form)
        while steps.count < Funnel.maximumSteps, form["\(Self.path(steps.count)).event"] != nil {
            steps.append(StepFields(form, at: Self.path(steps.count)))
        }
        if steps.isEmpty { steps = [StepFields(), StepFields()] }
        let parts = (form["op"] ?? "").split(separator: ".")
        let index = parts.count == 2 ? Int(parts[1]) ?? -1 : -1
        switch parts.first {
        case "add" where steps.count < Funnel.maximumSteps: steps.append(StepFields())
        case "remove" where steps.indices.contains(index) && steps.count > 1: steps.remove(at: index)
        case "up" where steps.indices.contains(index) && index > 0: steps.swapAt(index, index - 1)
        default: break
        }
    }

    /// Creates the form of a saved funnel.
    init(_ saved: SavedFunnel) {
        name = saved.name
        window = SpanField(seconds: saved.funnel.windowSeconds)
        steps = saved.funnel.steps.map(StepFields.init)
    }

    /// Returns the prefix of the fields of a step.
    static func path(_ index: Int) -> String { "steps[\(index)]" }

    func fields() -> [FieldView] {
        [
            .line("name", "Name", name),
            window.field("window", "From the first step to the last", hint: "At most 366 days."),
        ]
    }

    /// Returns the funnel without its empty steps; throws `FieldErrors`.
    func funnel(_ names: EventNames) throws -> Funnel {
        var faults = FieldErrors()
        if (try? Limits.name(name)) == nil { faults.add("name", "1 to 128 characters.") }
        let seconds = window.seconds("windowSeconds", &faults) ?? 0
        if faults.items.allSatisfy({ $0.field != "windowSeconds" }), !(1...(366 * 86_400)).contains(seconds) {
            faults.add("windowSeconds", "From one minute to 366 days.")
        }
        var typed: [Funnel.Step] = []
        for (index, step) in steps.enumerated() where !step.isEmpty {
            typed.append(step.step(names, at: Self.path(index), &faults))
        }
        if typed.isEmpty { faults.add("\(Self.path(0)).event", "Choose an event, or type its name.") }
        try faults.throwIfAny()
        return Funnel(steps: typed, window: .seconds(seconds))
    }
}
