import Foundation

/// JSON in text columns: sorted keys, so that equal values are equal texts.
package enum JSONColumn {
    package static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    package static func value<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws
        -> Value
    {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
