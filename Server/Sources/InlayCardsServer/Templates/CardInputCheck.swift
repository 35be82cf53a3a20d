import Foundation
import InlayServerCore
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// The checks of inputs and of submitted values.
enum CardInputCheck {
    static func check(_ input: CardTextInput, at field: String, into errors: inout FieldErrors) {
        let rules = input.rules
        if let lines = input.lines, !(1...20).contains(lines) {
            errors.add("\(field).lines", "From 1 to 20.")
        }
        if let text = input.defaultValue, text.unicodeScalars.count > CardLimits.variableLength {
            errors.add("\(field).defaultValue", "At most \(CardLimits.variableLength) characters.")
        }
        for (name, limit) in [("minLength", rules.minLength), ("maxLength", rules.maxLength)] {
            if let value = limit?.value, !(0...10_000).contains(value) {
                errors.add("\(field).rules.\(name)", "From 0 to 10,000 characters.")
            }
        }
        if let minimum = rules.minLength?.value, let maximum = rules.maxLength?.value, minimum > maximum {
            errors.add("\(field).rules.maxLength", "Less than the minimum length.")
        }
        if let pattern = rules.regex?.value,
            pattern.unicodeScalars.count > 500 || !BoundedPattern.isUsable(pattern)
        {
            errors.add("\(field).rules.regex", "A regular expression of at most 500 characters.")
        }
        if rules.min != nil || rules.max != nil {
            errors.add("\(field).rules", "Smallest and largest are rules of number inputs.")
        }
        checkMessages(rules, at: field, into: &errors)
    }

    static func check(_ input: CardNumberInput, at field: String, into errors: inout FieldErrors) {
        let rules = input.rules
        for (name, value) in [("min", rules.min?.value), ("max", rules.max?.value), ("", input.defaultValue)]
        {
            if let value, !value.isFinite {
                errors.add(
                    name.isEmpty ? "\(field).defaultValue" : "\(field).rules.\(name)", "A finite number.")
            }
        }
        if let minimum = rules.min?.value, let maximum = rules.max?.value, minimum > maximum {
            errors.add("\(field).rules.max", "Less than the smallest number.")
        }
        if rules.minLength != nil || rules.maxLength != nil || rules.regex != nil {
            errors.add("\(field).rules", "Lengths and patterns are rules of text inputs.")
        }
        checkMessages(rules, at: field, into: &errors)
    }

    /// Returns the fault of submitted values; `nil` when they can be stored.
    static func fault(in values: [String: CardInputValue]) -> String? {
        if values.count > CardLimits.submittedValues {
            return "At most \(CardLimits.submittedValues) values."
        }
        for (name, value) in values {
            if name.isEmpty || name.unicodeScalars.count > CardLimits.nameLength {
                return "Names have 1 to \(CardLimits.nameLength) characters."
            }
            if case .number(let number) = value, !number.isFinite {
                return "\(name) is not a finite number."
            }
        }
        return CardSubmissionRules.bytes(of: values) > CardLimits.submittedBytes
            ? "At most \(CardLimits.submittedBytes >> 10) KiB in all." : nil
    }

    /// Whether a payload or the properties of an event are small enough to store.
    static func isSmall(_ properties: [String: JSONValue]) -> Bool {
        guard properties.count <= CardLimits.properties else { return false }
        guard let json = try? JSONEncoder().encode(properties) else { return false }
        return json.count <= CardLimits.propertyBytes
    }

    private static func checkMessages(
        _ rules: CardInputRules, at field: String, into errors: inout FieldErrors
    ) {
        let messages = [
            ("required", rules.required?.message), ("minLength", rules.minLength?.message),
            ("maxLength", rules.maxLength?.message), ("min", rules.min?.message), ("max", rules.max?.message),
            ("regex", rules.regex?.message),
        ]
        for case (let name, let message?) in messages
        where message.unicodeScalars.count > CardLimits.lineLength {
            errors.add("\(field).rules.\(name).message", "At most \(CardLimits.lineLength) characters.")
        }
    }
}
