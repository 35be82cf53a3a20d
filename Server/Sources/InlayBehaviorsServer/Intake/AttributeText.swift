import Foundation
import InlaySQL
import InlayServerCore

/// An attribute of an event.
package struct EventAttributePair: Codable, Hashable, Sendable {
    package let name: String
    /// The attribute's value; empty when the sender gave null.
    package let value: String
}

/// The text of an event's attributes in the database: `[["name","value"],…]`, in the sender's order.
///
/// The JSON has one form only (no spaces, and only the necessary escapes), so that `LIKE` finds a pair with its
/// brackets. Inside of names and values every quote is escaped, so only a pair can match.
enum AttributeText {
    static func text(_ pairs: [EventAttributePair]) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pairs.reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 8 })
        bytes.append(UInt8(ascii: "["))
        for (index, pair) in pairs.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(pair, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        return String(decoding: bytes, as: UTF8.self)
    }

    static func pairs(_ text: String) -> [EventAttributePair] {
        let lists = (try? JSONDecoder().decode([[String]].self, from: Data(text.utf8))) ?? []
        return lists.compactMap { $0.count == 2 ? EventAttributePair(name: $0[0], value: $0[1]) : nil }
    }

    /// Returns the pattern for `LIKE ? ESCAPE '!'` that finds events with this pair. Values are compared as text:
    /// `1.10` is not `1.1`.
    static func pattern(name: String, value: String) -> SQLValue {
        var bytes: [UInt8] = []
        append(EventAttributePair(name: name, value: value), to: &bytes)
        return .containing(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the pattern that finds events with an attribute of this name.
    static func pattern(name: String) -> SQLValue {
        var bytes = Array("[\"".utf8)
        appendEscaped(name, to: &bytes)
        return .containing(String(decoding: bytes, as: UTF8.self) + "\",")
    }

    private static func append(_ pair: EventAttributePair, to bytes: inout [UInt8]) {
        bytes += Array("[\"".utf8)
        appendEscaped(pair.name, to: &bytes)
        bytes += Array("\",\"".utf8)
        appendEscaped(pair.value, to: &bytes)
        bytes += Array("\"]".utf8)
    }

    private static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
        let hex = Array("0123456789abcdef".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                bytes += Array("\\u00".utf8)
                bytes.append(hex[Int(byte >> 4)])
                bytes.append(hex[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
    }
}
