package import InlayServerCore

/// A field of a form as `field.mustache` draws it: a line, an area, a choice of one or of several, or a check box, with
/// its fault.
package struct FieldView {
    package let name: String
    package let fieldID: String
    package let label: String
    package var value = ""
    package var hint: String? { didSet { describe() } }
    package var placeholder = ""
    package var fault: String?
    package var hasFault = false { didSet { describe() } }
    /// The ids of what is said about the field: its hint, its fault.
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
    package var unit: String? { didSet { describe() } }
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

    private mutating func describe() {
        let ids = [
            unit.map { _ in "\(fieldID)-unit" }, hint.map { _ in "\(fieldID)-hint" },
            hasFault ? "\(fieldID)-fault" : nil,
        ]
        let said = ids.compactMap(\.self)
        describedBy = said.isEmpty ? nil : said.joined(separator: " ")
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

    /// One of several values.
    package static func choice(
        _ name: String, _ label: String, _ value: String, of choices: [(String, String)], hint: String? = nil
    ) -> FieldView {
        var field = FieldView(name, label)
        (field.isSelect, field.value, field.hint) = (true, value, hint)
        field.choices = ChoiceView.list(choices, chosen: value)
        return field
    }

    /// Any number of several values; one that cannot be chosen any more is still shown, so that saving does not drop it
    /// unseen.
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

    /// On or off.
    package static func check(_ name: String, _ label: String, _ isOn: Bool, hint: String? = nil) -> FieldView
    {
        var field = FieldView(name, label)
        (field.isCheck, field.isOn, field.hint) = (true, isOn, hint)
        return field
    }

    /// The same field with some of it changed.
    package func with(_ change: (inout FieldView) -> Void) -> FieldView {
        var copy = self
        change(&copy)
        return copy
    }

    /// The same field with what is wrong with it.
    package func with(fault: String?) -> FieldView {
        with {
            $0.fault = fault
            $0.hasFault = fault != nil
        }
    }

    /// The same field with the first of its faults.
    ///
    /// A fault of `tags[2]` belongs to the one line in which all tags are typed.
    package func with(faults: FieldErrors) -> FieldView {
        with(fault: faults.items.first { $0.field == name || $0.field.hasPrefix(name + "[") }?.message)
    }

    /// A field's name as an element's id: brackets are no part of an address's fragment.
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

/// The faults of a form, at its top: a line for each fault, leading to its field.
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

    /// A summary; `nil` without faults. `labels` are those of the form's fields and parts, by name.
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

    /// A summary that leads to these fields.
    package init?(_ errors: FieldErrors, fields: [FieldView]) {
        self.init(errors, labels: Dictionary(fields.map { ($0.name, $0.label) }) { first, _ in first })
    }

    /// One sentence without fields.
    package init(_ title: String, _ detail: String? = nil) {
        summaryTitle = title
        summaryLines = detail.map { [Line(line: $0, target: nil)] } ?? []
    }

    /// The field itself or the closest part of the form that holds it.
    private static func nearest(_ field: String, _ labels: [String: String]) -> String? {
        var path = field
        while labels[path] == nil {
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
            path = String(path[..<end])
        }
        return path
    }
}
