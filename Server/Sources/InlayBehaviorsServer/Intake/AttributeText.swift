import Foundation
import InlaySQL
import InlayServerCore

/// A name with its value, as an event carries them.
package struct EventAttributePair: Codable, Hashable, Sendable {
    /// The attribute's name.
    package let name: String
    /// Its value; empty for a value that was null.
    package let value: String
}

/// An event's attributes in their column: `[["name","value"],…]` in the order in which they came.
///
/// Written in one way only (no spaces, only what must be escaped is), so that a pair with its brackets is
/// found by `LIKE`: inside a text every quote is escaped, so nothing else can look like one.
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

    /// The pattern for `LIKE ? ESCAPE '!'` that finds events with this pair. Values are texts: `1.10` is not `1.1`.
    static func pattern(name: String, value: String) -> SQLValue {
        var bytes: [UInt8] = []
        append(EventAttributePair(name: name, value: value), to: &bytes)
        return .containing(String(decoding: bytes, as: UTF8.self))
    }

    /// The pattern that finds events with an attribute of this name.
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
