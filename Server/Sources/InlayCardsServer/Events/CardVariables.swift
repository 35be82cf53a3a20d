import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Turns the values of an event into the kinds that a template declares.
enum CardVariables {
    /// The values that the template declares, typed. Throws ``FieldErrors`` for values of another kind
    /// and for those the app resolves itself.
    static func typed(
        _ values: [String: JSONValue], for declared: [CardTemplateDefinition.Variable]
    ) throws -> [String: CardVariableValue] {
        var errors = FieldErrors()
        var typed: [String: CardVariableValue] = [:]
        for variable in declared {
            guard let value = values[variable.name], value != .null else { continue }
            let field = "variables.\(variable.name)"
            if variable.isRuntime {
                errors.add(field, "The app resolves this variable itself.")
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
        case (.string, .string(let text)) where text.count <= CardLimits.variableValue: .string(text)
        case (.number, .integer(let number)): .number(Double(number))
        case (.number, .number(let number)) where number.isFinite: .number(number)
        case (.boolean, .bool(let flag)): .boolean(flag)
        case (.date, .integer(let microseconds)): .date(Timestamp(microseconds: microseconds))
        case (.date, .string(let text)): moment(text).map(CardVariableValue.date)
        default: nil
        }
    }

    private static func moment(_ text: String) -> Timestamp? {
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: fractional))
        return date.map { Timestamp(seconds: $0.timeIntervalSince1970) }
    }

    private static func expectation(of kind: CardTemplateDefinition.Variable.Kind) -> String {
        switch kind {
        case .string: "A string of at most \(CardLimits.variableValue) characters is expected."
        case .number: "A number is expected."
        case .boolean: "true or false is expected."
        case .date: "Microseconds since 1970 or RFC 3339 text is expected."
        }
    }
}
