import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// A template in the editor: every value as it was typed, so that a form with faults is shown again
/// without a loss.
struct TemplateForm: Equatable, Sendable {
    /// A subview as typed.
    struct Subview: Equatable, Sendable {
        var id = ""
        var title = ""
        var elements: [ElementForm] = []

        init(id: String, title: String, elements: [ElementForm]) {
            (self.id, self.title, self.elements) = (id, title, elements)
        }

        /// Reads the fields under a path; `nil` when there are none.
        init?(_ fields: FormFields, at path: String) {
            guard let id = fields["\(path).id"] else { return nil }
            self.init(
                id: id, title: fields["\(path).title"] ?? "",
                elements: ElementForm.level("\(path).elements", in: fields))
        }
    }

    /// A variable as typed.
    struct Variable: Equatable, Sendable {
        var name = ""
        var kind = "string"
        var defaultValue = ""
        var isRuntime = false

        init(name: String = "", kind: String = "string", defaultValue: String = "", isRuntime: Bool = false) {
            (self.name, self.kind, self.defaultValue) = (name, kind, defaultValue)
            self.isRuntime = isRuntime
        }

        /// Reads the fields under a path; `nil` when there are none.
        init?(_ fields: FormFields, at path: String) {
            guard let name = fields["\(path).name"] else { return nil }
            self.init(
                name: name, kind: fields["\(path).kind"] ?? "string",
                defaultValue: fields["\(path).defaultValue"] ?? "",
                isRuntime: fields.isOn("\(path).isRuntime"))
        }
    }

    var name = ""
    var eventName = ""
    var priority = "5"
    var containerIDs: [CardContainerID] = []
    var embargo = SpanField()
    var expiry = SpanField()
    var elements: [ElementForm] = []
    var subviews: [Subview] = []
    var variables: [Variable] = []
    /// The names of the items of `CardMenu` that the card does not offer.
    var switchedOff: Set<String> = []
    /// The part that was removed last and can be put back; it is not part of the template.
    var removed: RemovedPart?

    /// The names of the values of all inputs.
    var valueNames: Set<String> {
        Set((elements + subviews.flatMap(\.elements)).flatMap(\.valueNames))
    }

    /// The ids of all subviews.
    var subviewIDs: Set<String> { Set(subviews.map(\.id.trimmed)) }

    /// The form of a saved template; dates are shown in `zone`.
    init(_ draft: CardTemplateDraft, in zone: CalendarZone) {
        name = draft.name
        eventName = draft.eventName
        priority = String(draft.priority)
        containerIDs = draft.containerIDs
        let definition = draft.definition
        embargo = SpanField(seconds: definition.embargoSeconds)
        expiry = SpanField(seconds: definition.expirySeconds)
        elements = definition.elements.map(ElementForm.init)
        subviews = definition.subviews.map {
            Subview(id: $0.id, title: $0.title, elements: $0.elements.map(ElementForm.init))
        }
        variables = definition.variables.map {
            Variable(
                name: $0.name, kind: $0.kind.rawValue,
                defaultValue: VariableText.typed($0.defaultValue, in: zone),
                isRuntime: $0.isRuntime)
        }
        switchedOff = Set(CardMenu.all.filter { definition.options[keyPath: $0.flag] }.map(\.name))
    }

    /// Reads the template from a form's fields.
    init(_ fields: FormFields) {
        name = fields["name"] ?? ""
        eventName = fields["eventName"] ?? ""
        priority = fields["priority"] ?? "5"
        containerIDs = fields.all("containerIDs").map { CardContainerID($0) }
        embargo = SpanField("embargo", fields)
        expiry = SpanField("expiry", fields)
        elements = ElementForm.level("elements", in: fields)
        while let next = Subview(fields, at: "subviews[\(subviews.count)]") {
            subviews.append(next)
        }
        while let next = Variable(fields, at: "variables[\(variables.count)]") {
            variables.append(next)
        }
        removed = RemovedPart(fields)
        switchedOff = Set(CardMenu.all.map(\.name).filter { !fields.isOn("options.\($0)") })
    }

    /// Returns the form as a draft, and the faults of fields that could not be read. Dates are read in `zone`.
    func draft(in zone: CalendarZone) -> (draft: CardTemplateDraft, faults: FieldErrors) {
        var faults = FieldErrors()
        var options = CardOptions()
        for item in CardMenu.all { options[keyPath: item.flag] = switchedOff.contains(item.name) }
        let definition = CardTemplateDefinition(
            elements: Self.level(elements, "elements", &faults),
            subviews: subviews.enumerated().map { index, subview in
                .init(
                    id: subview.id.trimmed, title: subview.title.trimmed,
                    elements: Self.level(subview.elements, "subviews[\(index)].elements", &faults))
            }, options: options,
            variables: variables.enumerated().map {
                VariableText.variable($1, at: "variables[\($0)]", in: zone, &faults)
            },
            embargoSeconds: embargo.seconds("embargoSeconds", &faults),
            expirySeconds: expiry.seconds("expirySeconds", &faults))
        let rank = faults.number(
            priority, in: "priority", rule: "A whole number from 1 (first) to 10 (last)."
        ) { $0.integer.flatMap { Int(exactly: $0) } }
        return (
            CardTemplateDraft(
                name: name.trimmed, eventName: eventName.trimmed, containerIDs: containerIDs,
                priority: rank ?? 5,
                definition: definition), faults
        )
    }

    private static func level(
        _ elements: [ElementForm], _ path: String, _ faults: inout FieldErrors
    ) -> [CardElement] {
        elements.enumerated().map { $1.element(at: "\(path)[\($0)]", &faults) }
    }
}
