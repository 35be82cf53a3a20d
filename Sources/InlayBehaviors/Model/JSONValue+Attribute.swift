import Foundation
import InlayWire

extension JSONValue {
    /// The value as the text of an attribute; `nil` for a number that JSON cannot carry.
    var attributeText: String? {
        switch self {
        case .null: return ""
        case .bool(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        case .number(let number):
            guard number.isFinite else { return nil }
            // 3.0 is how JSON's 3 arrives where numbers are doubles.
            return Int64(exactly: number).map { String($0) } ?? String(number)
        case .string(let text): return text
        case .array(let elements):
            let texts = elements.compactMap(\.attributeText)
            return texts.count == elements.count ? texts.joined(separator: ",") : nil
        case .object:
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
