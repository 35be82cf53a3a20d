import Foundation
import InlaySQL
import InlayWire

/// JSON in text columns: sorted keys, so that equal values are equal texts.
enum CardJSON {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

extension SQLRow {
    /// A moment that is never `NULL`.
    func moment(_ column: String) throws -> Timestamp { Timestamp(microseconds: try int64(column)) }

    /// A moment, or `nil` for `NULL`.
    func optionalMoment(_ column: String) throws -> Timestamp? {
        try optionalInt64(column).map(Timestamp.init(microseconds:))
    }
}

extension SQLValue {
    /// A moment as microseconds.
    static func moment(_ moment: Timestamp) -> SQLValue { .integer(moment.microseconds) }
    /// A moment as microseconds, or `null`.
    static func moment(_ moment: Timestamp?) -> SQLValue { SQLValue(moment?.microseconds) }
}
