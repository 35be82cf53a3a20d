import Foundation
import InlayWire

/// Puts the values of variables into the texts that name them as `{{name}}`.
enum VariableText {
    /// The text with each known `{{name}}` replaced once; names nobody knows stay as they are.
    ///
    /// One pass from left to right: a value that itself contains `{{other}}` is shown as it is, so
    /// that a value sent by one user cannot read the variables of a card.
    static func fill(_ text: String, _ values: [String: String]) -> String {
        replace(text) { values[$0] }
    }

    /// The address with values percent-encoded, unless the address is nothing but one variable.
    ///
    /// Encoding keeps a value inside its place: it can become neither a new query item nor another
    /// path. An address that is a variable as a whole must stand on its own and be a web address.
    static func fillAddress(_ address: String, _ values: [String: String]) -> String {
        let trimmed = address.trimmingCharacters(in: .whitespaces)
        if let name = wholeName(trimmed) {
            guard let value = values[name] else { return address }
            return isWebAddress(value) ? value : ""
        }
        let unreserved = CharacterSet.alphanumerics.intersection(
            CharacterSet(charactersIn: "\u{0}"..."\u{7F}")
        )
        .union(CharacterSet(charactersIn: "-._~"))
        return replace(address) { values[$0]?.addingPercentEncoding(withAllowedCharacters: unreserved) }
    }

    private static func replace(_ text: String, _ value: (String) -> String?) -> String {
        guard text.contains("{{") else { return text }
        var result = ""
        var rest = Substring(text)
        while let open = rest.range(of: "{{") {
            guard let close = rest[open.upperBound...].range(of: "}}") else { break }
            let name = rest[open.upperBound..<close.lowerBound].trimmingCharacters(in: .whitespaces)
            result += rest[..<open.lowerBound]
            result += value(name) ?? String(rest[open.lowerBound..<close.upperBound])
            rest = rest[close.upperBound...]
        }
        return result + rest
    }

    private static func wholeName(_ text: String) -> String? {
        guard text.hasPrefix("{{"), text.hasSuffix("}}"), text.count > 4 else { return nil }
        let name = text.dropFirst(2).dropLast(2)
        return name.contains("{{") ? nil : name.trimmingCharacters(in: .whitespaces)
    }

    private static func isWebAddress(_ text: String) -> Bool {
        guard let scheme = URLComponents(string: text)?.scheme?.lowercased() else { return false }
        return ["http", "https", "mailto", "tel"].contains(scheme)
    }
}

extension CardVariableValue {
    /// How the value reads in a text: numbers without a needless fraction, dates as ISO 8601 in UTC.
    public var text: String {
        switch self {
        case .string(let text): text
        case .boolean(let value): value ? "true" : "false"
        case .number(let value): Int64(exactly: value).map(String.init) ?? String(value)
        case .date(let moment): Date(timeIntervalSince1970: moment.seconds).formatted(.iso8601)
        }
    }
}
