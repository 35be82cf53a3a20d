package import InlayServerCore

/// A field of a form as `field.mustache` renders it: a text field, a text area, a choice of one or of several values,
/// or a check box, each with its fault.
package struct FieldView {
    package let name: String
    package let fieldID: String
    package let label: String
    package var value = ""
    package var hint: String? { didSet { updateDescribedBy() } }
    package var placeholder = ""
    package var fault: String?
    package var hasFault = false { didSet { updateDescribedBy() } }
    /// The ids of the elements that describe the field (unit, hint and fault), for `aria-describedby`.
    private(set) var describedBy: String?
    package var isWide = false
    package var isLabelHidden = false
    package var isLocked = false
    package var isLine = false
    package var isArea = false
    package var isSelect = false
    package var isCheck = false
    package var isMany = false
    package var isOn = false
    /// The value that a ticked check box sends.
    package var checkedValue = "on"
    package var inputType = "text"
    /// The keyboard that a phone shows: `numeric`, `decimal`, `url`.
    package var mode: String?
    package var style: String?
    /// The id of a list of suggestions.
    package var list: String?
    /// The unit that stands inside the field behind its value, for example `hours`.
    package var unit: String? { didSet { updateDescribedBy() } }
    /// The units that can be chosen inside the field.
    package var units: Units?
    package var rows = 3
    package var choices: [ChoiceView] = []
    private(set) var hasChoices = true

    /// A choice of units, as a control of its own inside the field.
    package struct Units {
        let unitName: String
        let unitID: String
        let unitLabel: String
        let unitChoices: [ChoiceView]

        init(name: String, label: String, choices: [ChoiceView]) {
            (unitName, unitID, unitLabel) = (name, FieldView.id(name), label)
            unitChoices = choices
        }
    }

    private init(_ name: String, _ label: String) {
        self.name = name
        self.label = label
        fieldID = FieldView.id(name)
    }

    private mutating func updateDescribedBy() {
        let ids = [
            unit.map { _ in "\(fieldID)-unit" }, hint.map { _ in "\(fieldID)-hint" },
            hasFault ? "\(fieldID)-fault" : nil,
        ]
        let present = ids.compactMap(\.self)
        describedBy = present.isEmpty ? nil : present.joined(separator: " ")
    }

    /// A field for one line.
    package static func line(_ name: String, _ label: String, _ value: String, hint: String? = nil)
        -> FieldView
    {
        var field = FieldView(name, label)
        (field.isLine, field.value, field.hint) = (true, value, hint)
        return field
    }

    /// A field for text of several lines.
    package static func area(
        _ name: String, _ label: String, _ value: String, hint: String? = nil, rows: Int = 3
    )
        -> FieldView
    {
        var field = FieldView(name, label)
        (field.isArea, field.value, field.hint, field.rows) = (true, value, hint, rows)
        return field
    }

    /// A field for one of several values.
    package static func choice(
        _ name: String, _ label: String, _ value: String, of choices: [(String, String)], hint: String? = nil
    ) -> FieldView {
        var field = FieldView(name, label)
        (field.isSelect, field.value, field.hint) = (true, value, hint)
        field.choices = ChoiceView.list(choices, chosen: value)
        return field
    }

    /// A field for any number of several values. A chosen value that is no longer offered is still shown, so that
    /// saving does not remove it unnoticed.
    package static func many(
        _ name: String, _ label: String, _ values: [String], of choices: [(String, String)],
        hint: String? = nil
    ) -> FieldView {
        let gone = values.filter { value in !value.isEmpty && !choices.contains { $0.0 == value } }
        var field = FieldView(name, label)
        (field.isMany, field.hint) = (true, hint)
        field.choices = (choices + gone.map { ($0, "\($0) (gone)") }).map {
            ChoiceView(choiceValue: $0.0, choiceLabel: $0.1, isChosen: values.contains($0.0))
        }
        field.hasChoices = !field.choices.isEmpty
        return field
    }

    /// A check box.
    package static func check(_ name: String, _ label: String, _ isOn: Bool, hint: String? = nil) -> FieldView
    {
        var field = FieldView(name, label)
        (field.isCheck, field.isOn, field.hint) = (true, isOn, hint)
        return field
    }

    /// Returns a copy of the field after a change.
    package func with(_ change: (inout FieldView) -> Void) -> FieldView {
        var copy = self
        change(&copy)
        return copy
    }

    /// Returns a copy of the field with this fault, or without one.
    package func with(fault: String?) -> FieldView {
        with {
            $0.fault = fault
            $0.hasFault = fault != nil
        }
    }

    /// Returns a copy of the field with the first of the form's faults that concerns it.
    ///
    /// A fault of `tags[2]` is shown at the field `tags`, in which all tags are typed.
    package func with(faults: FieldErrors) -> FieldView {
        with(fault: faults.items.first { $0.field == name || $0.field.hasPrefix(name + "[") }?.message)
    }

    /// Returns an element's id for a field's name, with hyphens for dots and brackets: a URL's fragment must not
    /// contain brackets.
    package static func id(_ name: String) -> String {
        String(name.map { $0 == "[" || $0 == "]" || $0 == "." ? "-" : $0 })
    }
}

/// A value that can be chosen.
package struct ChoiceView {
    package let choiceValue: String
    package let choiceLabel: String
    package let isChosen: Bool

    package static func list(_ choices: [(String, String)], chosen: String) -> [ChoiceView] {
        choices.map { ChoiceView(choiceValue: $0.0, choiceLabel: $0.1, isChosen: $0.0 == chosen) }
    }
}

/// The summary of faults above a form: a line for each of the first 12, with a link to its field.
package struct FaultSummary {
    package struct Line {
        let line: String
        let target: String?

        package init(line: String, target: String?) {
            self.line = line
            self.target = target
        }
    }

    package let summaryTitle: String
    package let summaryLines: [Line]

    /// A summary; `nil` when there are no faults. `labels` has the labels of the form's fields and parts by name.
    package init?(_ errors: FieldErrors, labels: [String: String]) {
        let count = errors.items.count
        guard count > 0 else { return nil }
        summaryTitle =
            count == 1
            ? "One field needs a correction. Nothing was saved."
            : "\(count) fields need a correction. Nothing was saved."
        summaryLines = errors.items.prefix(12).map { item in
            let target = FaultSummary.nearest(item.field, labels)
            let label = target.flatMap { labels[$0] } ?? item.field
            return Line(line: "\(label): \(item.message)", target: target.map(FieldView.id))
        }
    }

    /// A summary with links to `fields`; `nil` when there are no faults.
    package init?(_ errors: FieldErrors, fields: [FieldView]) {
        self.init(errors, labels: Dictionary(fields.map { ($0.name, $0.label) }) { first, _ in first })
    }

    /// A summary that names no field: a title and, if given, one line of detail.
    package init(_ title: String, _ detail: String? = nil) {
        summaryTitle = title
        summaryLines = detail.map { [Line(line: $0, target: nil)] } ?? []
    }

    /// Returns the name of the field, or of the smallest part of the form around it, that has a label.
    private static func nearest(_ field: String, _ labels: [String: String]) -> String? {
        var path = field
        while labels[path] == nil {
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
            path = String(path[..<end])
        }
        return path
    }
}
