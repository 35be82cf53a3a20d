import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The conversion of variables' values from and to typed text.
enum VariableText {
    static let kinds = [
        ("string", "Text"), ("number", "Number"), ("date", "Date and time"), ("boolean", "Yes or no"),
    ]

    /// Returns a value as its field shows it: a date as `2026-11-21T14:00` in a zone.
    static func typed(_ value: CardVariableValue, in zone: CalendarZone) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): number.decimalText
        case .integer(let number): String(number)
        case .boolean(let isTrue): isTrue ? "true" : "false"
        case .date(let date): TypedText.field(date, in: zone)
        }
    }

    /// Returns the value that a text means; `nil` when it is invalid.
    static func value(
        _ text: String, _ kind: CardTemplateDefinition.Variable.Kind, in zone: CalendarZone
    ) -> CardVariableValue? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch kind {
        case .string: return .string(text)
        case .number: return (try? TypedNumber(text, .exponent)).flatMap { CardVariableValue($0.decimal) }
        case .boolean:
            switch text.lowercased() {
            case "true", "yes", "1": return .boolean(true)
            case "false", "no", "0": return .boolean(false)
            default: return nil
            }
        case .date: return moment(text, in: zone).map(CardVariableValue.date)
        }
    }

    /// Returns a typed variable; a default value that cannot be read is reported and replaced.
    static func variable(
        _ typed: TemplateForm.Variable, at path: String, in zone: CalendarZone, _ faults: inout FieldErrors
    ) -> CardTemplateDefinition.Variable {
        let kind = CardTemplateDefinition.Variable.Kind(rawValue: typed.kind) ?? .string
        let fallback: CardVariableValue =
            switch kind {
            case .string: .string("")
            case .number: .number(0)
            case .boolean: .boolean(false)
            case .date: .date(Timestamp(microseconds: 0))
            }
        let value = value(typed.defaultValue, kind, in: zone)
        if value == nil { faults.add("\(path).defaultValue", hint(kind)) }
        return .init(
            name: typed.name.trimmed, kind: kind, defaultValue: value ?? fallback, isRuntime: typed.isRuntime)
    }

    /// Returns the hint for typing a value of a kind.
    static func hint(_ kind: CardTemplateDefinition.Variable.Kind) -> String {
        switch kind {
        case .string: "A text."
        case .number: "A number, for example 12.50; whole ones have up to 18 digits, others up to 15."
        case .boolean: "Yes or no."
        case .date: "A date such as 2026-11-21 14:00."
        }
    }

    /// Returns the time of `2026-11-21`, `2026-11-21 14:00` or the same with a `T` in a zone, or of a full ISO 8601
    /// time.
    static func moment(_ text: String, in zone: CalendarZone) -> Timestamp? {
        if let date = try? Date(text, strategy: .iso8601) {
            return Timestamp(seconds: date.timeIntervalSince1970)
        }
        return TypedText.moment(text, in: zone)
    }
}
