@_spi(Inlay) import InlayWire

/// A reader that converts single settings to their types and collects the ones that it cannot convert.
struct SettingsReader {
    private let table: SettingsTable
    private(set) var problems: [String] = []

    init(_ table: SettingsTable) { self.table = table }

    mutating func text(_ group: String, _ key: String) -> String? {
        read(group, key) { $0.string }
    }

    /// Reads a text that is not empty.
    mutating func name(_ group: String, _ key: String) -> String? {
        read(group, key) { $0.string.flatMap { $0.isEmpty ? nil : $0 } }
    }

    mutating func count(_ group: String, _ key: String, from minimum: Int) -> Int? {
        read(group, key) { Self.number($0).flatMap { Int(exactly: $0) }.flatMap { $0 >= minimum ? $0 : nil } }
    }

    mutating func number(_ group: String, _ key: String) -> Double? {
        read(group, key) { Self.number($0).flatMap { $0 >= 0 ? $0 : nil } }
    }

    mutating func flag(_ group: String, _ key: String) -> Bool? {
        read(group, key) { value in
            switch value {
            case .bool(let flag): flag
            case .integer(let number): [0: false, 1: true][number]
            case .string(let text): Self.flags[text.lowercased()]
            default: nil
            }
        }
    }

    /// Reads a duration in the expiration language. A date is a problem.
    mutating func duration(_ group: String, _ key: String) -> Duration? {
        read(group, key) { $0.string.flatMap { Expiration($0)?.duration } }
    }

    /// Reads days as a plain number, or a duration in the expiration language.
    mutating func days(_ group: String, _ key: String) -> Duration? {
        read(group, key) { value in
            if let number = Self.number(value), number >= 0, number < 100_000 {
                return .seconds(number * 86_400)
            }
            return value.string.flatMap { Expiration($0)?.duration }
        }
    }

    private static let flags = [
        "yes": true, "true": true, "1": true, "no": false, "false": false, "0": false,
    ]

    private mutating func read<Value>(
        _ group: String, _ key: String, _ convert: (JSONValue) -> Value?
    ) -> Value? {
        guard let value = table[group, key] else { return nil }
        guard let result = convert(value) else {
            problems.append("\(group)->\(key)")
            return nil
        }
        return result
    }

    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number) where number.isFinite: number
        case .string(let text): (try? TypedNumber(text, .exponent))?.double
        default: nil
        }
    }
}
