import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The conversion of an event's values to the kinds that a template declares.
enum CardVariables {
    /// Returns the values that the template declares, typed. Throws ``FieldErrors`` for values of another kind, for
    /// numbers whose digits cannot be kept (those in `rounded`, and beyond 64 bits), and for values the app resolves
    /// itself.
    static func typed(
        _ values: [String: JSONValue], rounded: Set<String> = [],
        for declared: [CardTemplateDefinition.Variable]
    ) throws -> [String: CardVariableValue] {
        var errors = FieldErrors()
        var typed: [String: CardVariableValue] = [:]
        for variable in declared {
            guard let value = values[variable.name], value != .null else { continue }
            let field = "variables.\(variable.name)"
            if variable.isRuntime {
                errors.add(field, "The app resolves this variable itself.")
            } else if variable.kind == .number, rounded.contains(variable.name) || isBeyondRange(value) {
                errors.add(field, tooManyDigits)
            } else if let found = convert(value, to: variable.kind) {
                typed[variable.name] = found
            } else {
                errors.add(field, expectation(of: variable.kind))
            }
        }
        try errors.throwIfAny()
        return typed
    }

    private static func convert(
        _ value: JSONValue, to kind: CardTemplateDefinition.Variable.Kind
    ) -> CardVariableValue? {
        switch (kind, value) {
        case (.string, .string(let text)) where text.unicodeScalars.count <= CardLimits.variableLength:
            .string(text)
        case (.number, .integer(let number)): CardVariableValue(whole: number)
        case (.number, .number(let number)): .number(number)
        case (.boolean, .bool(let flag)): .boolean(flag)
        case (.date, .integer(let microseconds)): .date(Timestamp(microseconds: microseconds))
        case (.date, .string(let text)): moment(text).map(CardVariableValue.date)
        default: nil
        }
    }

    /// Whether the value is a number of magnitude 2^63 or more, or not a number.
    private static func isBeyondRange(_ value: JSONValue) -> Bool {
        guard case .number(let number) = value else { return false }
        return !(abs(number) < 0x1p63)
    }

    private static let tooManyDigits = """
        The card would show other digits: a whole number has 64 bits, any other up to 15 digits. Declare the variable as \
        text and send it as one.
        """

    private static func moment(_ text: String) -> Timestamp? {
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: fractional))
        return date.map { Timestamp(seconds: $0.timeIntervalSince1970) }
    }

    private static func expectation(of kind: CardTemplateDefinition.Variable.Kind) -> String {
        switch kind {
        case .string: "A string of at most \(CardLimits.variableLength) characters is expected."
        case .number: "A number is expected."
        case .boolean: "true or false is expected."
        case .date: "Microseconds since 1970 or RFC 3339 text is expected."
        }
    }
}
