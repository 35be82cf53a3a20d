/// A field in the form of an audience condition.
package struct AudienceField: Sendable {
    /// The control in which a value is entered.
    package enum Control: Sendable {
        case line
        /// A number with the unit behind it, for example `days`.
        case number(unit: String)
        /// A choice of one of several values. A stored value that is not among them is shown as “gone”.
        case choice([Choice])
    }

    /// A value that can be chosen.
    package struct Choice: Sendable {
        package let value: String
        package let label: String

        /// A value with its label.
        package init(_ value: String, _ label: String) {
            self.value = value
            self.label = label
        }
    }

    /// The field's name, unique in the condition and without dots.
    package let name: String
    package let label: String
    package let control: Control
    /// The value in a new condition.
    package let initial: String
    package let hint: String?

    /// A field that is empty in a new condition unless `initial` says otherwise.
    package init(
        _ name: String, _ label: String, _ control: Control = .line, initial: String = "", hint: String? = nil
    ) {
        self.name = name
        self.label = label
        self.control = control
        self.initial = initial
        self.hint = hint
    }
}
